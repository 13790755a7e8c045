"""Names what keeps code from running on a GPU, by the words of torch and of `grader/inside/pretended/origins.py`."""

import re

from .plain_fault import PlainFault

DEVICE_FAULTS = (
    PlainFault(
        "made_on_the_cpu",
        re.compile(r"made a tensor on the CPU: give it device=x\.device"),
        "A tensor is made on the CPU while the input is on another device, such as a GPU. Give it device=x.device, or "
        "make it by torch.ones_like(x) or x.new_zeros(...).",
        "입력은 GPU 같은 다른 장치에 있는데 텐서를 CPU에서 만들었습니다. device=x.device를 주거나 torch.ones_like(x), "
        "x.new_zeros(...)로 만드세요.",
    ),
    PlainFault(
        "moved_to_the_cpu",
        re.compile(r"moved a tensor to the CPU"),
        "A tensor is moved to the CPU on the way: leave out .cpu() and .to('cpu'), and compute where the input is.",
        "중간에 텐서를 CPU로 옮겼습니다. .cpu()나 .to('cpu')를 빼고 입력이 있는 장치에서 계산하세요.",
    ),
    PlainFault(
        "left_on_the_cpu",
        re.compile(r"is not a buffer: \.to\(device\) leaves it on the CPU"),
        "A tensor that the module keeps as a plain attribute stays on the CPU when the module is moved. Keep it by "
        "self.register_buffer(name, tensor).",
        "모듈이 일반 속성으로 가진 텐서는 모듈을 옮겨도 CPU에 남습니다. self.register_buffer(이름, 텐서)로 등록하세요.",
    ),
    PlainFault(
        "loaded_on_the_cpu",
        re.compile(r"was made on the CPU when the file was loaded"),
        "A tensor that is made outside of the function is on the CPU for good. Make it inside, with device=x.device.",
        "함수 밖에서 만든 텐서는 언제나 CPU에 있습니다. 함수 안에서 device=x.device를 주어 만드세요.",
    ),
    PlainFault(
        "numpy_of_a_gpu",
        re.compile(r"device type tensor to numpy"),
        "NumPy cannot read a tensor that is on a GPU. Use the operations of torch in place of .numpy() and np.",
        "NumPy는 GPU에 있는 텐서를 읽지 못합니다. .numpy()와 np 대신 torch의 연산을 쓰세요.",
    ),
    PlainFault(
        "cuda_written_out",
        re.compile(r"Torch not compiled with CUDA enabled|Found no NVIDIA driver|No CUDA GPUs are available"),
        "A GPU is hard-coded, by .cuda() or device='cuda', and not every machine has one. Compute where the input is: "
        "device=x.device.",
        "GPU를 직접 적었습니다(.cuda(), device='cuda'). 모든 컴퓨터에 GPU가 있지는 않습니다. device=x.device로 입력이 "
        "있는 장치에서 계산하세요.",
    ),
    PlainFault(
        "devices_mixed",
        re.compile(r"tensors to be on the same device|indices should be either on cpu|The result is on the CPU, and"),
        "A tensor is on the CPU while its input is on another device, such as a GPU. Make it with device=x.device or "
        "torch.ones_like(x), and keep tables in a buffer.",
        "입력은 GPU 같은 다른 장치에 있는데 CPU에 있는 텐서가 있습니다. device=x.device나 torch.ones_like(x)로 만들고, "
        "표는 버퍼에 두세요.",
    ),
)

ORIGINS = (
    (re.compile(r"The call of (\S+) in line (\d+) (made|moved)"), r"\2번째 줄의 \1 호출: \3"),
    (re.compile(r"The call of (\S+) (made|moved)"), r"\1 호출: \2"),
    (
        re.compile(r"made a tensor on the CPU: give it device=x\.device\."),
        "텐서를 CPU에 만듭니다. device=x.device를 주세요.",
    ),
    (re.compile(r"moved a tensor to the CPU\."), "텐서를 CPU로 옮깁니다."),
    (
        re.compile(r"The attribute (\S+) of (\S+) is not a buffer: \.to\(device\) leaves it on the CPU\."),
        r"\2의 속성 \1: 버퍼가 아니어서 .to(device) 뒤에도 CPU에 남습니다.",
    ),
    (re.compile(r"(\S+) was made on the CPU when the file was loaded\."), r"\1: 파일을 읽을 때 CPU에 만들었습니다."),
)


def origins_in_korean(text: str) -> str:
    """Return an exception's text with the kit's own words about where a tensor comes from in Korean."""
    for english, korean in ORIGINS:
        text = english.sub(korean, text)
    return text
