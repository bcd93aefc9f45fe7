# SPDX-License-Identifier: Apache-2.0
# Tests of the reader of SPIR-V, run by LLVM's lit: what clcuda-spirv makes of a module, against FileCheck's comments in the same file.
# --param tools=FOLDER:FOLDER says where clcuda-spirv and LLVM's tools are, --param output=FOLDER where lit may write.
import os

import lit.formats

config.name = "spirv"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".spvasm"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params["output"]
config.environment["PATH"] = lit_config.params["tools"] + os.pathsep + os.environ["PATH"]
if root := lit_config.params.get("root"):  # of another processor's system, for qemu
    config.environment["QEMU_LD_PREFIX"] = root
