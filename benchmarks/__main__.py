"""python -m benchmarks [NAME ...]: the benchmarks of those names, or all of them."""

import importlib
import pkgutil
import sys

import benchmarks


def main(names: list[str]) -> None:
    known = [module.name for module in pkgutil.iter_modules(benchmarks.__path__) if module.name != "__main__"]
    if unknown := set(names) - set(known):
        sys.exit(f"Unknown benchmark {', '.join(sorted(unknown))}. Known: {', '.join(known)}")
    for name in names or known:
        importlib.import_module(f"benchmarks.{name}").run()


main(sys.argv[1:])
