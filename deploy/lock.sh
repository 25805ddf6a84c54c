#!/bin/sh
# Pins what the environments install: hashes of every file, no address of any index. Needs uv on PATH.
# Run from the repository's root after a change of dependencies: make lock
set -eu
command -v uv >/dev/null 2>&1 || { echo "erqiwang: uv is not on PATH. Get it with: pip install uv" >&2; exit 69; }
compile() {
  output=$1
  shift
  uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate \
    "$@" pyproject.toml -o "$output"
}
compile requirements.txt --extra server --extra embedded
compile requirements-dev.txt --extra dev --extra embedded -c requirements.txt
compile requirements-bench.txt --extra dev --extra embedded --extra bench -c requirements-dev.txt
