"""Generated from `proto/erqiwang/v1`: regenerate with `make proto`, never edit."""
