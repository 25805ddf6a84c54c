"""Play on one machine, without queue and database: the same referee, launcher and deals as on a server.

Nothing in here may import Celery, SQLAlchemy or Redis: it is what `pip install 'erqiwang[play]'` brings.
"""
