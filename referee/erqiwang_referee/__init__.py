"""The referee: tables, clocks, faults and records behind two gRPC services."""
