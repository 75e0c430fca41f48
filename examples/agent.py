#!/usr/bin/env python3
"""An agent for `bridle run` and `bridle up --runtimes`: asks, then writes its prompt to a file."""
import json
import os
import sys

folder = "."


def send(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def update(variant, **members):
    send(method="session/update", params={"sessionId": "s1", "update": {"sessionUpdate": variant, **members}})


def prompt(text):
    call = {"toolCallId": "write", "title": "write notes.txt", "kind": "edit",
            "rawInput": {"file_path": os.path.join(folder, "notes.txt"), "content": text}}
    options = [{"optionId": "yes", "name": "Allow", "kind": "allow_once"},
               {"optionId": "no", "name": "Reject", "kind": "reject_once"}]
    update("tool_call", status="pending", **call)
    send(id=1, method="session/request_permission", params={"sessionId": "s1", "toolCall": call, "options": options})
    answer = json.loads(sys.stdin.readline())
    allowed = answer.get("result", {}).get("outcome", {}).get("optionId") == "yes"
    if allowed:
        with open(os.path.join(folder, "notes.txt"), "w", encoding="utf-8") as file:
            file.write(text)
    update("tool_call_update", toolCallId="write", status="completed" if allowed else "failed")
    update("agent_message_chunk", content={"type": "text", "text": "Written." if allowed else "Not written."})
    return {"stopReason": "end_turn"}


for line in sys.stdin:
    request = json.loads(line)
    params, result = request.get("params", {}), {}
    if request.get("method") == "initialize":
        result = {"protocolVersion": 1, "agentInfo": {"name": "notes", "version": "1"}, "agentCapabilities": {}}
    elif request.get("method") == "session/new":
        folder, result = params["cwd"], {"sessionId": "s1"}
    elif request.get("method") == "session/prompt":
        result = prompt(params["prompt"][0]["text"])
    if "id" in request:
        send(id=request["id"], result=result)
