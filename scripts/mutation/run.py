# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of a folder with each of its mutants on, several at a time."""
import concurrent.futures
import json
import os
import platform
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import threading
import time

MOST = 4096  # mutant.h's kMost


class Test:
    """A program that passes on this machine, how long it takes, and the mutants that it reaches."""

    def __init__(self, name, content, folder, memory):
        self.name, self.content, self.folder, self.memory = name, content, folder, memory
        self.seconds, self.reached = None, set()

    def available(self):
        words = self.content["words"]
        return shutil.which(words[0].replace("{folder}", str(self.folder))) is not None and \
            all((self.folder / "tools").exists() for word in words if "{folder}/tools" in word)

    def environment(self, scratch, variables):
        # A mutant may do as it likes with the home folder's cache.
        made = {name: value for name, value in os.environ.items() if not name.startswith(("CLCUDA_", "OCL_ICD_", "GTEST_", "XDG_"))}
        made.update(HOME=scratch, TMPDIR=scratch, CLCUDA_DEVICES="cpu", CLCUDA_TEST_DEVICE="cpu", LD_LIBRARY_PATH=str(self.folder / "lib"))
        if self.content["opencl"]:
            made["OCL_ICD_VENDORS"] = str(self.folder / "vendors")
        made.update(self.content["environment"])
        made.update(variables)
        return made

    def limit_memory(self):
        # Where memory runs out, it ends first.
        with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
            file.write("1000")
        if self.memory:
            resource.setrlimit(resource.RLIMIT_DATA, (self.memory << 30,) * 2)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def run(self, limit, variables):
        """What went wrong; None if nothing did."""
        scratch = tempfile.mkdtemp(prefix="clcuda-mutants-")
        words = [word.replace("{folder}", str(self.folder)).replace("{scratch}", scratch) for word in self.content["words"]]
        with open(os.path.join(scratch, "log"), "wb") as log:
            process = subprocess.Popen(words, env=self.environment(scratch, variables), cwd=scratch, stdin=subprocess.DEVNULL, stdout=log,
                                       stderr=log, start_new_session=True, preexec_fn=self.limit_memory)
            try:
                code = process.wait(limit)
            except subprocess.TimeoutExpired:
                code = None
            finally:
                try:
                    os.killpg(process.pid, signal.SIGKILL)  # what it left behind, too
                except ProcessLookupError:
                    pass
                process.wait()
        with open(os.path.join(scratch, "log"), errors="replace", encoding="utf-8") as log:
            text = log.read(1 << 20)
        shutil.rmtree(scratch, ignore_errors=True)
        if code == 0:
            return None
        failed = re.findall(r"^(?:\[  FAILED  \] |FAIL: )(.+?)(?: \(\d+ ms\))?(?:, where .*)?$", text, re.MULTILINE)
        begun = re.findall(r"^\[ RUN      \] (\S+)", text, re.MULTILINE)
        where = failed[0] if failed else begun[-1] if begun else text[-200:]
        return f"no end within {limit:.0f} s: {where}" if code is None else f"exit status {code}: {where}"

    def measure(self):
        """Without a mutant: what is wrong with it here; None if it passes."""
        with tempfile.NamedTemporaryFile() as reached:
            reached.write(bytes(MOST))
            reached.flush()
            started = time.monotonic()
            problem = self.run(900, {"CLCUDA_MUTANTS_REACHED": reached.name})
            self.seconds = time.monotonic() - started
            reached.seek(0)
            self.reached = {number for number, byte in enumerate(reached.read()) if byte}
        return problem

    def limit(self):
        return 10 + 5 * self.seconds


class Results:
    """mutants-results.json: what each test said of each mutant, on whatever machine; written again after each."""

    def __init__(self, path, content):
        self.path, self.lock = path, threading.Lock()
        self.content = json.loads(path.read_text()) if path.exists() else {"seed": content["seed"], "mutants": {}, "reached": {}, "machines": {}}
        if self.content["seed"] != content["seed"]:
            raise SystemExit(f"mutate: {path} is of other mutants")
        for mutant in content["mutants"]:
            self.content["mutants"].setdefault(str(mutant["number"]), {"passed": [], "killed": None})

    def of(self, number):
        return self.content["mutants"][str(number)]

    def add(self, number, test, problem):
        with self.lock:
            if problem:
                self.of(number)["killed"] = {"test": test, "how": problem}
            else:
                self.of(number)["passed"].append(test)
            self.write()

    def write(self):
        self.path.with_suffix(".new").write_text(json.dumps(self.content, indent=1) + "\n")
        self.path.with_suffix(".new").replace(self.path)


def measure_tests(folder, content, results, jobs, memory, pattern):
    """Those that pass here."""
    tests = [Test(name, each, folder, memory) for name, each in content["tests"].items() if not pattern or re.fullmatch(pattern, name)]
    tests = [test for test in tests if test.available()]
    known = results.content["machines"].setdefault(platform.node(), {})
    passing = []

    def measured(test):
        if test.name in known:
            test.seconds, test.reached = known[test.name], set(results.content["reached"][test.name])
            return test, None
        return test, test.measure()

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for test, problem in pool.map(measured, tests):
            if problem:
                print(f"left out, as it fails without a mutant: {test.name}: {problem}", flush=True)
                continue
            known[test.name] = test.seconds
            reached = results.content["reached"].setdefault(test.name, [])
            results.content["reached"][test.name] = sorted(set(reached) | test.reached)
            passing.append(test)
    results.write()
    print(f"{len(passing)} of {len(content['tests'])} tests run here and pass, {sum(test.seconds for test in passing):.0f} s together", flush=True)
    return passing


def try_mutant(mutant, tests, results, end):
    """Until a test fails."""
    for test in sorted(tests, key=lambda each: each.seconds):
        state = results.of(mutant["number"])
        if state["killed"] or test.name in state["passed"] or mutant["number"] not in test.reached:
            continue
        left = end - time.monotonic()
        if left < test.seconds:
            return
        problem = test.run(min(left, test.limit()), {"CLCUDA_MUTANT": str(mutant["number"])})
        if problem and problem.startswith("no end") and left < test.limit():
            return  # nothing is known of it
        results.add(mutant["number"], test.name, problem)


def report(content, results):
    """A line for each that was killed, the others as a change, and why."""
    kinds = {"killed": [], "survived": [], "not reached": []}
    for mutant in content["mutants"]:
        state = results.of(mutant["number"])
        reached = any(mutant["number"] in numbers for numbers in results.content["reached"].values())
        kinds["killed" if state["killed"] else "survived" if reached else "not reached"].append((mutant, state))
    lines = []
    for kind, mutants in kinds.items():
        lines.append(f"\n{kind}: {len(mutants)}\n")
        for mutant, state in mutants:
            place = f"{mutant['number']}. {mutant['file']}:{mutant['line']}"
            change = f"  - {' '.join(mutant['before'].split())}\n  + {' '.join(mutant['after'].split())}"
            if kind == "killed":
                lines.append(f"{place}\n{change}\n  {state['killed']['test']}: {state['killed']['how'][:150]}")
            else:
                untried = [name for name, numbers in results.content["reached"].items()
                           if mutant["number"] in numbers and name not in state["passed"]]
                lines.append(f"{place}\n{change}")
                lines.append(f"  {len(state['passed'])} tests pass, {len(untried)} that reach it were not tried")
    counts = ", ".join(f"{len(mutants)} {kind}" for kind, mutants in kinds.items())
    return "\n".join(lines) + f"\n\n{len(content['mutants'])} mutants: {counts}\n"


def run(folder, output, jobs, seconds, memory, pattern=None):
    """First the tests that concern each mutant's file, then all others that reach it."""
    end = time.monotonic() + seconds
    content = json.loads((folder / "mutants.json").read_text())
    (folder / "vendors").mkdir(exist_ok=True)
    (folder / "vendors/clcuda.icd").write_text(f"{folder}/lib/libclcuda.so\n")
    results = Results(output / "mutants-results.json", content)
    tests = measure_tests(folder, content, results, jobs, memory, pattern)
    try:
        for concerning in (True, False):
            with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
                for mutant in content["mutants"]:
                    its_tests = [test for test in tests if bool(re.fullmatch(mutant["tests"], test.name)) == concerning]
                    pool.submit(try_mutant, mutant, its_tests, results, end)
    finally:
        text = report(content, results)
        (output / "mutants-report.txt").write_text(text)
        print(text[-12000:])
