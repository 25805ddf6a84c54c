#!/bin/sh
# Fails when the committed code is not what the schema generates: check.sh ENVIRONMENT COMMITTED-FOLDER.
set -eu
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
sh proto/generate.sh "$1" "$fresh"
if ! diff -r -x __pycache__ -x __init__.py "$fresh/erqiwang/v1" "$2/erqiwang/v1"; then
  echo "The generated code in $2/erqiwang/v1 differs from proto/: run \`make proto\` and commit the result." >&2
  exit 1
fi
