# SPDX-License-Identifier: Apache-2.0
"""Puts many mutants into one build of a copy of the tree, and what runs them into a folder."""
import json
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

from mutation.operators import Source, switched
from mutation.table import tests_of

ROOT = Path(__file__).resolve().parent.parent.parent
# Not of the library (tree_rules, …), for hours (slow), or by another compiler (…_il).
LEFT_OUT = re.compile(r"tree_rules|lock_order_annotations|builtins_coverage|soak.*|fuzz_source|.*_il")
# Linked with the whole of LLVM: too large for the archive.
LLVM_PROGRAMS = re.compile(r"compiler_.*|driver_faults|allocation_faults|refusals|unit_replayed_commands|unit_driver_errors|(fuzz_)?ptx.*")


def step(text):
    print(f"==> {text}", flush=True)


class Plan:
    """The mutants that are in the copy: {file: [(number, line, mutant)]}."""

    def __init__(self, paths, count, most_files, seed):
        chance = random.Random(seed)
        places = []
        self.texts, self.chosen = {}, {}
        for file in sorted({file.resolve() for path in paths for file in ([path] if path.is_file() else path.rglob("*.cpp"))}):
            name = str(file.relative_to(ROOT))
            if tests_of(name):
                self.texts[name] = file.read_text()
                places += [(name, line, mutants) for line, mutants in Source(self.texts[name]).mutants().items()]
        chance.shuffle(places)
        number = 0
        for name, line, mutants in places:
            if number == count:
                break
            mutant = chance.choice(mutants)
            if "//" in mutant.before or (name not in self.chosen and len(self.chosen) == most_files):
                continue
            others = self.chosen.setdefault(name, [])
            if all(mutant.end <= other.start or other.end <= mutant.start for _, _, other in others):
                number += 1
                others.append((number, line, mutant))

    def text_with_mutants(self, name):
        """Lines keep their numbers."""
        text = self.texts[name]
        for number, _, mutant in sorted(self.chosen[name], key=lambda each: -each[2].start):
            one_line = mutant._replace(after=" ".join(mutant.after.split("\n")))
            text = text[:mutant.start] + switched(one_line, number) + text[mutant.end:]
        header = ROOT / "scripts/mutation/mutant.h"
        return f'#include "{header}"\n#line 1\n{text}'

    def drop(self, name, lines):
        """Those that the compiler complains of, or all of the file where no line is theirs."""
        def bad(mutant):
            first = self.texts[name].count("\n", 0, mutant.start) + 1
            return any(first <= line <= first + mutant.before.count("\n") for line in lines)

        kept = [each for each in self.chosen[name] if not bad(each[2])]
        dropped = len(self.chosen[name]) - len(kept) or len(self.chosen[name])
        self.chosen[name] = kept if len(kept) < len(self.chosen[name]) else []
        return dropped


def write_copy(tree, plan):
    """The tree as git lists it, with the mutants; what is the same as in the last copy stays untouched."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-zco", "--exclude-standard"], capture_output=True, text=True, check=True)
    for name in filter(None, listed.stdout.split("\0")):
        source, target = ROOT / name, tree / name
        if not source.is_file():
            continue
        content = plan.text_with_mutants(name).encode() if plan.chosen.get(name) else source.read_bytes()
        if not target.exists() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            shutil.copymode(source, target)


def build(tree, plan, targets):
    """Until nothing fails any more; what does not compile is dropped."""
    while True:
        write_copy(tree, plan)
        step(f"building {sum(map(len, plan.chosen.values()))} mutants in {sum(map(bool, plan.chosen.values()))} files")
        words = [tree / "scripts/build", "release", *targets, "--", "-k", "0"]
        made = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if made.returncode == 0:
            return
        errors = {}
        for path, line in re.findall(r"^(\S+\.cpp):(\d+):\d+: (?:fatal )?error:", made.stdout, re.MULTILINE):
            # As the compiler was given it, from the build's folder or not.
            name = str((tree / "build/release" / path).resolve().relative_to(tree.resolve()))
            if plan.chosen.get(name):
                errors.setdefault(name, set()).add(int(line))
        if not errors:
            sys.exit(f"mutate: the copy does not build:\n{made.stdout[-4000:]}")
        print("dropped as they do not compile:", sum(plan.drop(name, lines) for name, lines in errors.items()), flush=True)


def test_programs(tree, wanted):
    """The targets of tests, of which CTest says nothing before they are there."""
    programs = set()
    for file in (tree / "build/release").rglob("CTestTestfile.cmake"):
        text = file.read_text()
        labels = dict(re.findall(r'^set_tests_properties\(\[=\[(\S+)\]=\] PROPERTIES .*LABELS "([^"]*)"', text, re.MULTILINE))
        for name, program in re.findall(r'^add_test\(\[=\[(\S+)\]=\] "([^"]+)"', text, re.MULTILINE):
            if wanted(name) and "slow" not in labels.get(name, "") and Path(program).is_relative_to(tree / "build"):
                programs.add(Path(program).name)
    return sorted(programs)


def choose_tests(tree, wanted):
    """{name: test} of those that CTest knows and that say something of mutants."""
    listed = subprocess.run(["ctest", "--test-dir", tree / "build/release", "--show-only=json-v1"], capture_output=True, text=True, check=True)
    tests = {}
    for test in json.loads(listed.stdout)["tests"]:
        properties = {each["name"]: each["value"] for each in test.get("properties", [])}
        if not wanted(test["name"]) or {"slow", "alone"} & set(properties.get("LABELS", [])) or "command" not in test:
            continue
        environment = dict(word.split("=", 1) for word in properties.get("ENVIRONMENT", []))
        opencl = "OCL_ICD_VENDORS" in environment
        environment = {name: value for name, value in environment.items() if not name.startswith("OCL_ICD_")}
        tests[test["name"]] = {"words": test["command"], "environment": environment, "opencl": opencl}
    return tests


class Folder:
    """What `mutate --run` wants: programs, libraries, mutants.json."""

    def __init__(self, path, tree):
        self.path, self.tree, self.here_only = path, tree, ["tools"]
        shutil.rmtree(path, ignore_errors=True)

    def copy_program(self, program, folder):
        target = self.path / folder / program.name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            shutil.copy2(program, target)
            subprocess.run(["strip", "--strip-unneeded", target], check=True)

    def add_test(self, name, test):
        """Its words, as they are in the folder."""
        program = Path(test["words"][0])
        if program.name == "lit":
            return self.add_lit_test(name, test["words"])
        self.copy_program(program, "tests")
        modules = Path(f"{program}_modules")
        if modules.is_dir():
            shutil.copytree(modules, self.path / "tests" / modules.name, dirs_exist_ok=True)
        if LLVM_PROGRAMS.fullmatch(program.name):
            self.here_only.append(f"tests/{program.name}")
        # (unit_runtime and its like have no flag to take a wrong one for.)
        return ["{folder}/tests/" + program.name, *test["words"][1:], "--gtest_fail_fast"]

    def add_lit_test(self, name, words):
        source = self.path / name
        shutil.copytree(words[-1], source)
        with open(source / "lit.cfg.py", "a", encoding="utf-8") as file:
            file.write('for name in ("CLCUDA_MUTANT", "CLCUDA_MUTANTS_REACHED"):\n'
                       "    if name in os.environ:\n        config.environment[name] = os.environ[name]\n")
        for tool in ("clcuda-opt", "clcuda-spirv"):
            self.copy_program(self.tree / "build/release/tools" / tool, "tools")
        llvm = next(word for word in words if word.startswith("tools=")).split(":", 1)[1]
        return [words[0], "-sv", "-j2", "--max-failures=1", "--param", "tools={folder}/tools:" + llvm, "--param", "output={scratch}/lit",
                "{folder}/" + name]

    def add_libraries(self):
        self.copy_program(self.tree / "build/release/icd/libclcuda.so", "lib")
        known = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
        loader = next(line.split()[-1] for line in known.splitlines() if "libOpenCL.so.1 " in line and "x86-64" in line)
        shutil.copy2(loader, self.path / "lib/libOpenCL.so.1")
        needed = set()
        for program in [*self.path.glob("tests/*"), *self.path.glob("lib/*")]:
            if program.is_file():
                needed.update(re.findall(r"=> (/\S+)", subprocess.run(["ldd", program], capture_output=True, text=True, check=False).stdout))
        for library in needed:
            if not re.search(r"/(ld-linux|lib(c|m|dl|rt|pthread|resolv|OpenCL|cuda))[-.]", library):
                shutil.copy2(library, self.path / "lib" / Path(library).name)

    def add_scripts(self):
        shutil.copy2(ROOT / "scripts/mutate", self.path / "mutate")
        shutil.copytree(ROOT / "scripts/mutation", self.path / "mutation", ignore=shutil.ignore_patterns("__pycache__"))

    def archive(self):
        file = self.path.with_suffix(".tar.xz")
        excluded = [f"--exclude={self.path.name}/{name}" for name in self.here_only]
        with open(file, "wb") as output:
            tar = subprocess.Popen(["tar", "-C", self.path.parent, *excluded, "-c", self.path.name], stdout=subprocess.PIPE)
            subprocess.run(["xz", "-T2", "-4"], stdin=tar.stdout, stdout=output, check=True)
            tar.wait()
        return file


def make(folder, paths, count, most_files, seed, preferred):
    """Builds, and fills the folder and its archive."""
    tree = ROOT / "build/mutants/tree"
    plan = Plan(paths, count, most_files, seed)
    if not plan.chosen:
        sys.exit("mutate: no operator there")
    write_copy(tree, plan)
    step("configuring")
    configured = subprocess.run(["cmake", "--preset", "release", "-DCLCUDA_BENCH=OFF", "-DCLCUDA_EXAMPLES=OFF"], cwd=tree,
                                capture_output=True, text=True, check=False)
    if configured.returncode:
        sys.exit(f"mutate: {configured.stdout}{configured.stderr}")

    def wanted(name):
        return not LEFT_OUT.fullmatch(name) and (not preferred or re.fullmatch(preferred, name))

    build(tree, plan, ["clcuda", "clcuda-opt", "clcuda-spirv", *test_programs(tree, wanted)])
    tests = choose_tests(tree, wanted)
    step("packing")
    made = Folder(folder, tree)
    for name, test in tests.items():
        test["words"] = made.add_test(name, test)
    made.add_libraries()
    made.add_scripts()
    mutants = [{"number": number, "file": name, "line": line, "before": mutant.before, "after": mutant.after, "tests": tests_of(name)}
               for name, others in plan.chosen.items() for number, line, mutant in others]
    content = {"seed": seed, "mutants": sorted(mutants, key=lambda each: each["number"]), "tests": tests}
    (folder / "mutants.json").write_text(json.dumps(content, indent=1) + "\n")
    file = made.archive()
    print(f"{len(mutants)} mutants in {len(plan.chosen)} files; {folder}; {file}: {file.stat().st_size / 1e6:.0f} MB")
