"""Injected faults between Berth and kube-apiserver.

faults.py PORT SERVER CA PERCENT : listens on 127.0.0.1:PORT without TLS and hands each request on to the port SERVER, whose certificate
CA has signed, with the token that it carries. Of a hundred writes PERCENT go wrong, each in one of four ways: refused before they arrive,
done and then refused (the reply is lost), done and then the connection is cut, or late. Watches are cut at random. As soon as the server
is gone, so is the connection to Berth. Two addresses are our own: POST /faults/stop, and GET /faults/count, which tells what was done.

The leases count as writes: whoever renews must live with it.
"""

import asyncio
import json
import random
import ssl
import sys

HOST = "127.0.0.1"
LATEST = 3.0  # seconds
WATCH = 20.0  # seconds that a watch lives, on average
REFUSAL = json.dumps({"kind": "Status", "apiVersion": "v1", "status": "Failure", "message": "injected fault", "reason": "ServiceUnavailable", "code": 503}).encode()
WAYS = ("refused before", "done and refused", "done and cut", "late before", "late after")

chance = random.Random(42)
counts = dict.fromkeys(("writes", "watches cut") + WAYS, 0)
percent = 0.0


def answer(status, body):
    return b"HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % (status, len(body)) + body


async def head_of(reader):
    head = await reader.readuntil(b"\r\n\r\n")
    fields = {}
    lines = head.split(b"\r\n")
    for line in lines[1:-2]:
        name, _, value = line.partition(b":")
        fields[name.strip().lower()] = value.strip().lower()
    return head, lines[0], fields


async def copy_body(reader, fields, write):
    """A body of known length, or in chunks; `write` takes each part as it comes."""
    if fields.get(b"transfer-encoding") == b"chunked":
        while True:
            line = await reader.readline()
            size = int(line.split(b";")[0], 16)
            await write(line + await reader.readexactly(size + 2))
            if size == 0:
                return
    left = int(fields.get(b"content-length", 0))
    while left:
        part = await reader.read(min(left, 1 << 16))
        if not part:
            raise asyncio.IncompleteReadError(b"", left)
        left -= len(part)
        await write(part)


def fate(method):
    if method in (b"GET", b"HEAD"):
        return None
    counts["writes"] += 1
    if chance.random() * 100 >= percent:
        return None
    way = chance.choice(WAYS)
    counts[way] += 1
    return way


async def exchange(reader, writer, up_reader, up_writer):
    """One request and its reply; false = the connection ends."""
    head, line, fields = await head_of(reader)
    method, path = line.split()[:2]
    body = bytearray()

    async def keep(part):
        body.extend(part)

    await copy_body(reader, fields, keep)
    if path.startswith(b"/faults/"):
        return await ours(path, writer)
    way = fate(method)
    if way == "refused before":
        writer.write(answer(b"503 Service Unavailable", REFUSAL))
        await writer.drain()
        return True
    if way == "late before":
        await asyncio.sleep(chance.random() * LATEST)
    up_writer.write(head + bytes(body))
    await up_writer.drain()
    is_watch = method == b"GET" and b"watch=" in path
    try:
        if is_watch and percent:
            await asyncio.wait_for(reply(up_reader, writer, None), chance.expovariate(1 / WATCH))
        else:
            return await reply(up_reader, writer, way)
    except asyncio.TimeoutError:
        counts["watches cut"] += 1
    return False


async def reply(up_reader, writer, way):
    head, line, fields = await head_of(up_reader)
    status = int(line.split()[1])
    body = bytearray()

    async def send(part):
        writer.write(part)
        await writer.drain()

    async def keep(part):
        body.extend(part)

    bodiless = status in (204, 304)
    if way is None:
        await send(head)
        if not bodiless:
            await copy_body(up_reader, fields, send)
    else:
        if not bodiless:
            await copy_body(up_reader, fields, keep)
        if way == "done and cut":
            return False
        if way == "late after":
            await asyncio.sleep(chance.random() * LATEST)
        await send(answer(b"503 Service Unavailable", REFUSAL) if way == "done and refused" else head + bytes(body))
    return fields.get(b"connection") != b"close"


async def ours(path, writer):
    global percent
    if path == b"/faults/stop":
        percent = 0.0
    writer.write(answer(b"200 OK", json.dumps(counts).encode()))
    await writer.drain()
    return True


async def serve(reader, writer, server, trust):
    up_writer = None
    try:
        up_reader, up_writer = await asyncio.open_connection(HOST, server, ssl=trust, limit=1 << 20)
        while await exchange(reader, writer, up_reader, up_writer):
            pass
    except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
        pass  # either side is gone
    finally:
        writer.close()
        if up_writer:
            up_writer.close()


async def main(port, server, authority, share):
    global percent
    percent = share
    trust = ssl.create_default_context(cafile=authority)
    trust.check_hostname = False
    trust.verify_flags &= ~ssl.VERIFY_X509_STRICT  # the server made its certificate itself
    async with await asyncio.start_server(lambda r, w: serve(r, w, server, trust), HOST, port, backlog=1024, limit=1 << 20) as listener:
        await listener.serve_forever()


asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], float(sys.argv[4])))
