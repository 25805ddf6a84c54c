"""The profiles of the five source documents, as data."""
