"""The regression test of a new version of a bot against an old one, played on this machine."""
