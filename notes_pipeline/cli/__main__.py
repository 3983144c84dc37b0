"""``python -m notes_pipeline.cli``."""

from notes_pipeline.cli import main

if __name__ == "__main__":
    main()
