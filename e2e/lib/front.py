"""What a Service is in a cluster: one address that leads to the replica that leads.

front.py PORT BACKEND… : listens on 127.0.0.1:PORT and hands each new connection on to the one of the ports BACKEND whose /leadz answers
200, looked at ten times a second. Connections that are open stay where they are. Without a leader a connection is closed at once.
"""

import asyncio
import sys

HOST = "127.0.0.1"
PAUSE = 0.1
PATIENCE = 1.0

ready = None


async def leads(port):
    writer = None
    try:
        reader, writer = await asyncio.wait_for(asyncio.open_connection(HOST, port), PATIENCE)
        writer.write(b"GET /leadz HTTP/1.1\r\nHost: front\r\nConnection: close\r\n\r\n")
        line = await asyncio.wait_for(reader.readline(), PATIENCE)
        return line.split()[1:2] == [b"200"]
    except (OSError, asyncio.TimeoutError):
        return False
    finally:
        if writer:
            writer.close()


async def look(backends):
    global ready
    while True:
        answers = await asyncio.gather(*(leads(port) for port in backends))
        ready = next((port for port, yes in zip(backends, answers) if yes), None)
        await asyncio.sleep(PAUSE)


async def pump(reader, writer):
    try:
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


async def serve(reader, writer):
    port = ready
    if port is None:
        writer.close()
        return
    try:
        to_reader, to_writer = await asyncio.open_connection(HOST, port)
    except OSError:
        writer.close()
        return
    await asyncio.gather(pump(reader, to_writer), pump(to_reader, writer))


async def main(port, backends):
    async with await asyncio.start_server(serve, HOST, port, backlog=1024) as server:
        await asyncio.gather(server.serve_forever(), look(backends))


asyncio.run(main(int(sys.argv[1]), [int(port) for port in sys.argv[2:]]))
