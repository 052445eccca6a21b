import type { Group } from '../piece.ts';

const PACKAGE = `
mkdir -p shapes/shapes && cd shapes
printf 'from setuptools import setup\\nsetup(name="shapes", version="0.3", packages=["shapes"], entry_points={"console_scripts": ["shapes=shapes:main"]})\\n' > setup.py
printf 'def area(a, b):\\n    return a * b\\n\\ndef main():\\n    print("area", area(2, 3))\\n' > shapes/__init__.py
cd ..
`;
const WHEEL = `
mkdir wheels && python3 - <<'PY'
import zipfile
z = zipfile.ZipFile("wheels/tinyq-1.0-py3-none-any.whl", "w")
z.writestr("tinyq.py", "def q():\\n    return 'tiny'\\n")
z.writestr("tinyq-1.0.dist-info/METADATA", "Metadata-Version: 2.1\\nName: tinyq\\nVersion: 1.0\\n")
z.writestr("tinyq-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\\nGenerator: hand\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
z.writestr("tinyq-1.0.dist-info/RECORD", "tinyq.py,,\\ntinyq-1.0.dist-info/METADATA,,\\ntinyq-1.0.dist-info/WHEEL,,\\ntinyq-1.0.dist-info/RECORD,,\\n")
z.close()
PY
`;
const PYTHON = ['python3'];
const PIP = 'PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1';

export const PYTHON_GROUP: Group = {
  name: 'python',
  title: 'python, virtual environments and pip from local folders',
  pieces: [
    {
      name: 'script-and-module',
      needs: PYTHON,
      setUp: 'mkdir app && printf "def f(x):\\n    return x * 2\\n" > app/core.py && touch app/__init__.py',
      steps: [
        'python3 -c "from app.core import f; print(f(21))"',
        'printf "from .core import f\\nprint(f(4))\\n" > app/__main__.py; PYTHONDONTWRITEBYTECODE=1 python3 -m app',
      ],
    },
    {
      name: 'virtual-environment',
      needs: PYTHON,
      steps: [
        'python3 -m venv --without-pip .venv',
        '. .venv/bin/activate && python -c "import sys; print(sys.prefix != sys.base_prefix)"',
        '.venv/bin/python --version; cat .venv/pyvenv.cfg | grep home',
      ],
    },
    {
      name: 'virtual-environment-with-pip',
      needs: PYTHON,
      setUp: WHEEL,
      steps: [
        'python3 -m venv .venv',
        `${PIP} .venv/bin/pip install -q --find-links wheels tinyq`,
        '.venv/bin/python -c "import tinyq; print(tinyq.q())"; .venv/bin/pip list --format=freeze 2>/dev/null | grep tiny',
      ],
    },
    {
      name: 'pip-target',
      needs: PYTHON,
      setUp: `${WHEEL} python3 -m venv .venv`,
      steps: [
        `${PIP} .venv/bin/pip install -q --no-compile --target vendor --find-links wheels tinyq`,
        'PYTHONPATH=vendor python3 -B -c "import tinyq; print(tinyq.__file__.split(\'/\')[-1])"; ls vendor',
      ],
    },
    {
      name: 'install-a-folder',
      needs: PYTHON,
      setUp: `${PACKAGE} python3 -m venv .venv`,
      steps: [
        `${PIP} .venv/bin/pip install -q --no-build-isolation ./shapes 2>&1 | grep -v -i -E "deprecat|discussion"; true`,
        '.venv/bin/shapes',
      ],
    },
    {
      name: 'install-editable',
      needs: PYTHON,
      setUp: `${PACKAGE} python3 -m venv .venv`,
      steps: [
        `${PIP} .venv/bin/pip install -q --no-build-isolation -e ./shapes 2>&1 | grep -v -i -E "deprecat|discussion"; true`,
        "sed -i 's/a \\* b/a + b/' shapes/shapes/__init__.py && .venv/bin/shapes",
      ],
    },
    {
      name: 'pip-wheel-cache',
      needs: PYTHON,
      setUp: `${WHEEL} python3 -m venv .venv`,
      steps: [
        `${PIP} .venv/bin/pip download -q --no-deps --find-links wheels -d down tinyq`,
        'ls down; .venv/bin/pip cache dir | sed "s,.*/,,"',
      ],
    },
    {
      name: 'user-install',
      needs: PYTHON,
      setUp: `${WHEEL} python3 -m venv --system-site-packages .venv; rm -rf .venv`,
      steps: [
        'mkdir -p "$(python3 -m site --user-site)" && cp wheels/*.whl "$(python3 -m site --user-site)/t.zip" && cd "$(python3 -m site --user-site)" && python3 -m zipfile -e t.zip .',
        'python3 -c "import tinyq; print(tinyq.q())"',
      ],
    },
    {
      name: 'unittest',
      needs: PYTHON,
      setUp:
        'printf "import unittest\\nclass T(unittest.TestCase):\\n    def test_a(self): self.assertEqual(1, 1)\\n    def test_b(self): self.assertEqual(1, 2)\\n" > test_x.py',
      steps: [
        'python3 -B -m unittest -q 2>&1 | grep -E "^(FAILED|OK)"',
        "sed -i 's/(1, 2)/(2, 2)/' test_x.py; python3 -B -m unittest 2>&1 | tail -1",
      ],
    },
    {
      name: 'byte-code',
      needs: PYTHON,
      setUp: 'echo "X = 1" > m.py',
      steps: [
        'python3 -m compileall -q . && ls __pycache__',
        'python3 -c "import m; print(m.X)"; rm -r __pycache__; ls',
      ],
    },
    {
      name: 'rename-a-folder',
      needs: PYTHON,
      setUp: 'mkdir -p old/inner && echo a > old/inner/a.txt',
      steps: ["python3 -c \"import os; os.rename('old', 'new')\"", 'cat new/inner/a.txt; ls'],
    },
    {
      name: 'shutil-and-tempfile',
      needs: PYTHON,
      setUp: 'mkdir data && echo 1 > data/a && echo 2 > data/b',
      steps: [
        "python3 -c \"import shutil; shutil.copytree('data', 'copy'); shutil.make_archive('pack', 'tar', 'data'); shutil.move('copy/a', 'moved')\"",
        `python3 -c "
import tempfile, os, shutil
d = tempfile.mkdtemp()
open(os.path.join(d, 'x'), 'w').write('x')
shutil.move(os.path.join(d, 'x'), 'from-temp')
print(sorted(os.listdir('.')))"`,
      ],
    },
    {
      name: 'subprocess-and-pool',
      needs: PYTHON,
      steps: [
        "python3 -c \"import subprocess as s; print(s.run(['sort'], input='b\\na\\n', text=True, capture_output=True).stdout.split())\"",
        'printf "from multiprocessing import Pool\\ndef f(x): return x * x\\nif __name__ == \'__main__\':\\n    with Pool(2) as p: print(p.map(f, range(5)))\\n" > pool.py && python3 pool.py',
      ],
    },
    {
      name: 'csv-json-report',
      needs: PYTHON,
      setUp: 'printf "a,b\\n1,2\\n3,4\\n" > in.csv',
      steps: [
        `python3 - <<'PY'\nimport csv, json\nrows = list(csv.DictReader(open('in.csv')))\njson.dump(rows, open('out.json', 'w'), indent=1)\nprint(sum(int(r['b']) for r in rows))\nPY`,
        'python3 -m json.tool --compact out.json',
      ],
    },
    {
      name: 'traceback-and-exit',
      needs: PYTHON,
      steps: ['python3 -c "import sys; sys.exit(7)"', 'python3 -c "1/0"', 'python3 -m no_such_module'],
    },
  ],
};
