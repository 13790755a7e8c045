"""The page that students read first, in English and in Korean: install, switch on, solve and check.

Both texts are side by side with the same commands in the same order, so that neither can be forgotten.
"""

from dataclasses import dataclass
from typing import Literal

Language = Literal["en", "ko"]
PAGES: dict[Language, str] = {"en": "README.md", "ko": "README.ko.md"}
GUIDES: dict[Language, str] = {"en": "student-guide.md", "ko": "student-guide.ko.md"}
NOTEBOOKS: dict[Language, str] = {"en": "notebooks.md", "ko": "notebooks.ko.md"}
COLAB: dict[Language, str] = {"en": "colab.md", "ko": "colab.ko.md"}


@dataclass(frozen=True)
class Gaps:
    """What the page says of one release.

    Attributes:
        wheel: The wheel's file name, and behind it the further packages that the course allows.
        torch: The version of torch that grading uses.
        folder: The first assignment's folder, from the page's own.
        name: The name of that assignment's files, without a suffix.
        exercise: Its first exercise.
    """

    wheel: str
    torch: str
    folder: str
    name: str
    exercise: str


ENGLISH = """\
# The exercises

[한국어](README.ko.md)

You need Python 3.11, 3.12 or 3.13 on Linux, macOS (Apple silicon) or Windows, and about 1.5 GB of disk. Everything
goes into a folder `.venv` beside this page; nothing else on your computer is changed.

## 1. Install

Open a terminal in this folder. On Linux and macOS:

```
python3 -m venv .venv
.venv/bin/python -m pip install {wheel} torch=={torch}
```

On Windows:

```
py -m venv .venv
.venv\\Scripts\\python -m pip install {wheel} torch=={torch}
```

This fetches torch, in the version that grades, and takes some minutes.

- **torch is there already**, as in Colab or on a lab's machine with a GPU: leave it as it is, see [colab.md](colab.md).
- **pip says "requires a different Python".** Delete the folder `.venv` and name a version: `python3.12 -m venv .venv`,
  on Windows `py -3.12 -m venv .venv`.
- **"ensurepip is not available"** on Debian or Ubuntu: install the package `python3-venv`, then begin again.
- **Linux without a graphics card.** pip's usual torch is several GB there. A small one is enough: before the second
  command install torch {torch} for CPU, as the page "Get started" of PyTorch says, with `.venv/bin/python -m pip`.

## 2. Switch it on

In this folder, once in every new terminal:

| system | command |
|---|---|
| Linux, macOS | `source .venv/bin/activate` |
| Windows, Command Prompt | `.venv\\Scripts\\activate.bat` |
| Windows, PowerShell | `.venv\\Scripts\\Activate.ps1` |

If PowerShell says that running scripts is disabled, use the Command Prompt.

## 3. Solve and check

```
cd {folder}
grader check --exercise {exercise}
```

It says `not yet`, since nothing is written. Open `{name}.py` in an editor and look for `{exercise}`. This is the file
to work in and to hand in. Write your code in place of the line `# YOUR CODE HERE` and the one below it, save the file,
and run the same command again.

If you would rather work in the notebook, write all your answers there and none in `{name}.py`. Any program for
notebooks will do if it uses the Python in `.venv`; this installs and opens one:

```
python -m pip install jupyterlab
jupyter lab {name}.ipynb
```

Run the cells from the top. The cell `check("{exercise}")` checks what you wrote above it.

What each exercise asks is in the `README.md` of its folder. How to check, hand in and read your report is in
[student-guide.md](student-guide.md).
"""

KOREAN = """\
# 문제 모음

[English](README.md)

Linux, macOS(Apple silicon), Windows에서 Python 3.11, 3.12, 3.13 가운데 하나와 디스크 약 1.5GB가 필요합니다. 모든 것은
이 안내문 옆의 `.venv` 폴더에 설치되며, 컴퓨터의 다른 곳은 바뀌지 않습니다.

## 1. 설치하기

이 폴더에서 터미널을 여세요. Linux와 macOS에서는 다음과 같이 합니다.

```
python3 -m venv .venv
.venv/bin/python -m pip install {wheel} torch=={torch}
```

Windows에서는 다음과 같이 합니다.

```
py -m venv .venv
.venv\\Scripts\\python -m pip install {wheel} torch=={torch}
```

채점에 쓰는 버전의 torch를 내려받으므로 몇 분 걸립니다.

- **Colab이나 실습실의 GPU 컴퓨터처럼 torch가 이미 있으면** 그대로 쓰세요. [colab.ko.md](colab.ko.md)를 보세요.
- **pip가 "requires a different Python"이라고 하면** `.venv` 폴더를 지우고 버전을 지정하세요.
  `python3.12 -m venv .venv`, Windows에서는 `py -3.12 -m venv .venv`입니다.
- **Debian이나 Ubuntu에서 "ensurepip is not available"이라고 하면** `python3-venv` 패키지를 설치하고 처음부터 다시
  하세요.
- **그래픽 카드가 없는 Linux.** pip가 기본으로 받는 torch는 수 GB입니다. CPU용이면 충분하니, 두 번째 명령 전에 PyTorch의
  "Get started" 페이지를 따라 CPU용 torch 버전 {torch}을(를) `.venv/bin/python -m pip`로 설치하세요.

## 2. 켜기

이 폴더에서, 터미널을 새로 열 때마다 한 번 실행하세요.

| 운영체제 | 명령 |
|---|---|
| Linux, macOS | `source .venv/bin/activate` |
| Windows 명령 프롬프트 | `.venv\\Scripts\\activate.bat` |
| Windows PowerShell | `.venv\\Scripts\\Activate.ps1` |

PowerShell이 스크립트를 실행할 수 없다고 하면 명령 프롬프트를 쓰세요.

## 3. 풀고 검사하기

```
cd {folder}
grader check --exercise {exercise} --language ko
```

아직 아무것도 쓰지 않았으므로 `아직`이라고 나옵니다. 편집기에서 `{name}.py`를 열고 `{exercise}`을(를) 찾으세요. 이
파일에서 작업하고 이 파일을 제출합니다. `# YOUR CODE HERE` 줄과 그 아래 줄을 직접 쓴 코드로 바꾸고, 저장한 뒤 같은
명령을 다시 실행하세요.

노트북에서 풀고 싶다면 모든 답을 노트북에 쓰고 `{name}.py`에는 쓰지 마세요. `.venv`의 Python을 쓰기만 하면 어떤 노트북
프로그램이든 좋습니다. 다음 명령은 하나를 설치하고 엽니다.

```
python -m pip install jupyterlab
jupyter lab {name}.ipynb
```

셀을 위에서부터 실행하세요. `check("{exercise}")` 셀이 바로 위에 쓴 코드를 검사합니다. 한국어로 보려면 첫 셀의 import
아래에 `check.language = "ko"`라고 쓰세요.

문제마다 무엇을 해야 하는지는 각 폴더의 `README.ko.md`에 있습니다. 검사, 제출, 보고서 읽기는
[student-guide.ko.md](student-guide.ko.md)에 있습니다.
"""

TEXTS: dict[Language, str] = {"en": ENGLISH, "ko": KOREAN}


def make_page(language: Language, gaps: Gaps) -> str:
    """Return the page in a language."""
    return TEXTS[language].format(**vars(gaps))
