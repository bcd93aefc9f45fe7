# SPDX-License-Identifier: Apache-2.0
# Tests of single passes, run by LLVM's lit: clcuda-opt's output against FileCheck's comments in the same file.
# --param tools=FOLDER:FOLDER says where clcuda-opt and LLVM's tools are, --param output=FOLDER where lit may write.
import os

import lit.formats

config.name = "passes"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params["output"]
config.environment["PATH"] = lit_config.params["tools"] + os.pathsep + os.environ["PATH"]
if root := lit_config.params.get("root"):  # of another processor's system, for qemu
    config.environment["QEMU_LD_PREFIX"] = root
# A pass that changes something and says that it did not leaves others with analyses of what is no more.
config.substitutions.append((r"\bclcuda-opt\b", "clcuda-opt -verify-analysis-invalidation"))
