#!/usr/bin/env node
// An agent for `bridle run` and `bridle up --runtimes`: asks, then writes its prompt to a file.
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const options = ["allow_once", "reject_once"].map((kind) => ({ optionId: kind, name: kind.replace("_", " "), kind }));
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
const update = (members) => send({ method: "session/update", params: { sessionId: "s1", update: members } });
let path;

async function write(text) {
  const change = { file_path: path, content: text };
  const call = { toolCallId: "write", title: "write notes.txt", kind: "edit", rawInput: change };
  update({ sessionUpdate: "tool_call", status: "pending", ...call });
  send({ id: 1, method: "session/request_permission", params: { sessionId: "s1", toolCall: call, options } });
  const answer = JSON.parse((await lines.next()).value);
  const allowed = answer.result?.outcome?.optionId === "allow_once";
  if (allowed) writeFileSync(path, text);
  update({ sessionUpdate: "tool_call_update", toolCallId: "write", status: allowed ? "completed" : "failed" });
  update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: allowed ? "Written." : "Not written." } });
  return { stopReason: "end_turn" };
}

for await (const line of lines) {
  const { id, method, params } = JSON.parse(line);
  let result = {};
  if (method === "initialize") result = { protocolVersion: 1, agentInfo: { name: "notes", version: "1" } };
  if (method === "session/new") [path, result] = [`${params.cwd}/notes.txt`, { sessionId: "s1" }];
  if (method === "session/prompt") result = await write(params.prompt[0].text);
  if (id !== undefined) send({ id, result });
}
