#!/bin/sh
# Creates and fills the virtual environment: install.sh FOLDER REQUIREMENTS, from the repository's root.
# Uses uv when it is on PATH, pip otherwise. Says in one line what is missing.
set -eu
folder=$1
requirements=$2
python=${PYTHON:-python3}
say() { echo "erqiwang: $*" >&2; }
if ! command -v "$python" >/dev/null 2>&1; then
  say "no $python on PATH. Debian: apt-get install python3 python3-venv"
  exit 69
fi
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
  say "$("$python" -V) is too old: 3.11 or newer is needed. Name another one with: make PYTHON=/path/to/python3"
  exit 69
fi
export UV_PYTHON_DOWNLOADS=never PIP_DISABLE_PIP_VERSION_CHECK=1
if command -v uv >/dev/null 2>&1; then
  [ -x "$folder/bin/python" ] || uv venv -q --python "$python" "$folder"
  say "installing into $folder with uv"
  uv pip install -q --python "$folder/bin/python" --require-hashes -r "$requirements"
  uv pip install -q --python "$folder/bin/python" --no-deps -e .
else
  if ! "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then
    say "$python has no venv or no pip. Debian: apt-get install python3-venv python3-pip"
    exit 69
  fi
  [ -x "$folder/bin/python" ] || "$python" -m venv "$folder"
  say "installing into $folder with pip (a minute or so)"
  "$folder/bin/python" -m pip install -q --require-hashes -r "$requirements"
  "$folder/bin/python" -m pip install -q --no-deps -e .
fi
