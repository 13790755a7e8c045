"""What a worker whose every byte a test writes reads and sends before it begins to lie."""

from grader.inside.protocol.answers import Loaded, Returned, StatementReached
from grader.inside.protocol.rows import TensorNode
from grader.inside.protocol.wire import PREFIX, pack, read_request


def requests(sock):
    """Yield each request that comes, also where several come at once."""
    data = b""
    while True:
        while len(data) < PREFIX.size or len(data) < PREFIX.size + sum(PREFIX.unpack(data[: PREFIX.size])):
            data += sock.recv(65536)
        header, payload = PREFIX.unpack(data[: PREFIX.size])
        yield read_request(data[PREFIX.size : PREFIX.size + header])
        data = data[PREFIX.size + header + payload :]


def honest_load(sock):
    """Answer the load as a worker does, and return the requests that follow."""
    asked = requests(sock)
    load = next(asked)
    sock.sendall(pack(StatementReached(nonce=load.nonce, group=0, statement=0)))
    sock.sendall(pack(Loaded(nonce=load.nonce, names=[], problems=[], stand_ins=[])))
    return asked


def good(call):
    """Return an answer to a call, of a single zero."""
    return pack(Returned(nonce=call.nonce, nodes=[TensorNode("float32", [1], 0, 4)]), [b"\x00" * 4])
