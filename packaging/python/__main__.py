# SPDX-License-Identifier: Apache-2.0
"""For shells: eval "$(python -m clcuda)" lets OpenCL programs use this library. python -m clcuda program…: runs one so."""
import os
import shlex
import sys

import clcuda

if len(sys.argv) > 1:
    clcuda.enable()
    os.execvp(sys.argv[1], sys.argv[1:])
for name, value in clcuda.variables().items():
    print(f"export {name}={shlex.quote(value)}")
