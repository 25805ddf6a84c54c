"""The launcher: a small process that starts and ends all others of a worker.

It is one single-threaded process without gRPC, so that it may fork in the middle of everything else; the
worker talks to it in JSON lines over its standard input and output. It adopts whatever its children leave
behind (a child subreaper), and when its input closes it kills everything below it and goes: a killed worker
leaves nothing.
"""
