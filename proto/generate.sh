#!/bin/sh
# Generates the Python code of the schema: generate.sh ENVIRONMENT OUTPUT-FOLDER, from the repository's root.
set -eu
environment=$1
output=$2
PATH="$environment/bin:$PATH" PYTHONWARNINGS=ignore "$environment/bin/python" -m grpc_tools.protoc -I proto \
  --python_out="$output" --grpc_python_out="$output" --mypy_out=quiet:"$output" --mypy_grpc_out=quiet:"$output" \
  proto/erqiwang/v1/*.proto
# Only services need the gRPC part.
for file in "$output"/erqiwang/v1/*_pb2_grpc.py; do
  grep -q "Stub(object)" "$file" || rm -f "$file" "${file}i"
done
