"""What orchestration costs: the flow beside the library, and a second run beside the first."""

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks import CLAIR, MODEL_FREE, has_documents


def run() -> None:
    """Print ratios. Each side runs in a process of its own, so that neither finds what the other has loaded."""
    if not has_documents("flow"):
        return
    library, flow = _measured("library"), _measured("flow")
    print("flow: 33 documents, six methods, paper profile, mentions given")
    print(f"  library                  {library['seconds']:6.1f} s ({library['cpu']:.1f} s of core time)")
    print(
        f"  flow, cold               {flow['cold']:6.1f} s ({flow['cold_cpu']:.1f} s of core time in its own process)"
    )
    print(f"  flow, warm               {flow['warm']:6.1f} s")
    print(f"  start-up                 {flow['startup']:6.1f} s")
    print(f"  flow / library           {flow['cold'] / library['seconds']:6.2f}   (aim: at most 2)")
    print(f"  the same in core time    {flow['cold_cpu'] / library['cpu']:6.2f}")
    print(f"  warm / cold              {flow['warm'] / flow['cold']:6.2f}   (aim: at most 0.2)")
    print(f"  peak memory of the flow  {flow['peak'] / 1e6:6.0f} MB (aim: below 1500)")


def _measured(side: str) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.flow", side]
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    measured: dict[str, float] = json.loads(result.stdout.splitlines()[-1])
    return measured


def library() -> dict[str, float]:
    from chunkfit.mentions import read_mentions
    from chunkfit.parsing import parse
    from chunkfit.pipeline import evaluate
    from chunkfit.settings import Settings

    started, cpu = time.perf_counter(), time.process_time()
    mentions = read_mentions(CLAIR / "mentions.parquet")
    for path in sorted((CLAIR / "parsed").glob("*.json")):
        document = parse(path)
        evaluate(document, Settings(methods=MODEL_FREE, profile="paper"), mentions=mentions[document.name])
    return {"seconds": time.perf_counter() - started, "cpu": time.process_time() - cpu}


def flow() -> dict[str, float]:
    from rich.console import Console

    from chunkfit.settings import Settings
    from flows.home import Home
    from flows.session import session

    settings = Settings(methods=MODEL_FREE, profile="paper")
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder))
        with session(home, Console(stderr=True, quiet=True)):
            from flows.evaluate import evaluate_corpus

            def evaluated() -> tuple[float, float]:
                begun, cpu = time.perf_counter(), time.process_time()
                evaluate_corpus(
                    [str(CLAIR / "parsed")], settings, mentions_file=str(CLAIR / "mentions.parquet"), home=folder
                )
                return time.perf_counter() - begun, time.process_time() - cpu

            startup = time.perf_counter() - started
            cold, cold_cpu = evaluated()
            warm, _ = evaluated()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return {"startup": startup, "cold": cold, "cold_cpu": cold_cpu, "warm": warm, "peak": peak}


if __name__ == "__main__":
    sides = {"library": library, "flow": flow}
    if len(sys.argv) > 1:
        print(json.dumps(sides[sys.argv[1]]()))
    else:
        run()
