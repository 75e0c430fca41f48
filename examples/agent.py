#!/usr/bin/env python3
"""An agent for `bridle run` and `bridle up --runtimes`: asks, then writes its prompt to a file."""
import json, sys
from pathlib import Path

OPTIONS = [{"optionId": kind, "name": kind.replace("_", " "), "kind": kind} for kind in ("allow_once", "reject_once")]

def send(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)

def update(**members):
    send(method="session/update", params={"sessionId": "s1", "update": members})

def write(path, text):
    change = {"file_path": path, "content": text}
    call = {"toolCallId": "write", "title": "write notes.txt", "kind": "edit", "rawInput": change}
    update(sessionUpdate="tool_call", status="pending", **call)
    send(id=1, method="session/request_permission", params={"sessionId": "s1", "toolCall": call, "options": OPTIONS})
    answer = json.loads(sys.stdin.readline())
    allowed = answer.get("result", {}).get("outcome", {}).get("optionId") == "allow_once"
    if allowed:
        Path(path).write_text(text, encoding="utf-8")
    update(sessionUpdate="tool_call_update", toolCallId="write", status="completed" if allowed else "failed")
    return "Written." if allowed else "Not written."

for line in sys.stdin:
    request = json.loads(line)
    params, result = request.get("params", {}), {}
    if request.get("method") == "initialize":
        result = {"protocolVersion": 1, "agentInfo": {"name": "notes", "version": "1"}}
    elif request.get("method") == "session/new":
        path, result = params["cwd"] + "/notes.txt", {"sessionId": "s1"}
    elif request.get("method") == "session/prompt":
        text = write(path, params["prompt"][0]["text"])
        update(sessionUpdate="agent_message_chunk", content={"type": "text", "text": text})
        result = {"stopReason": "end_turn"}
    if "id" in request:
        send(id=request["id"], result=result)
