"""Pictures of results, PNG and SVG, where matplotlib is installed (the extra `plots`)."""
