"""House bots of clearly different strength, each a program: `python -m erqiwang.bots.cautious`.

============  ==================================================================================
`random`      any legal action, bids rarely
`lowest`      the rule book's fallback at every turn, opens with the highest bid
`cautious`    feeds points to its side, ducks, saves trumps, bids by a rough count
`counter`     remembers every card, weighs what the others may still hold
`montecarlo`  plays its candidates out in worlds that the others may hold; the slowest by far
============  ==================================================================================
"""
