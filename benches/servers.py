#!/usr/bin/env python3
"""How much faster a run is on two servers than on one, where the server is what it waits for.

Starts two `toolgauge serve` that take 50 ms for each answer, runs the same cases on one and on
both, and prints the ratio of the times. Run it from anywhere:

    cargo build --release
    python3 benches/servers.py

Ends with 1 if the ratio is below 1.9.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
LEAST = 1.9


def serve(program):
    command = [program, "serve", "--port", "0", "--latency", "50ms"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return server, server.stdout.readline().removeprefix("listening on ").strip() + "/v1"


def seconds(program, folder, addresses):
    command = [program, "run", "everyday", "--trials", "15", "-m", "any", "--quiet"]
    command += ["--log-dir", os.path.join(folder, str(len(addresses)))]
    for address in addresses:
        command += ["--base-url", address]
    start = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - start


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    program = os.path.join(HERE, "..", "target", "release", "toolgauge")
    options.add_argument("--program", default=program)
    program = options.parse_args().program
    servers = [serve(program) for _ in range(2)]
    addresses = [address for _, address in servers]
    try:
        with tempfile.TemporaryDirectory() as folder:
            times = [seconds(program, folder, addresses[:count]) for count in (1, 2)]
    finally:
        for server, _ in servers:
            server.terminate()
    print(f"one server   {times[0]:6.2f} s")
    print(f"two servers  {times[1]:6.2f} s")
    ratio = times[0] / times[1]
    print(f"ratio        {ratio:6.2f}")
    return 0 if ratio >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
