"""`python -I -m grader.bundles PLATFORM BUNDLE`: what the scripts of a bundle start."""

import sys

from .container_run import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
