#!/usr/bin/env node
// An agent for `bridle run` and `bridle up --runtimes`: asks, then writes its prompt to a file.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
const update = (sessionUpdate, members) =>
  send({ method: "session/update", params: { sessionId: "s1", update: { sessionUpdate, ...members } } });
let folder = ".";

async function prompt(text) {
  const path = join(folder, "notes.txt");
  const call = { toolCallId: "write", title: "write notes.txt", kind: "edit", rawInput: { file_path: path, content: text } };
  const options = [
    { optionId: "yes", name: "Allow", kind: "allow_once" },
    { optionId: "no", name: "Reject", kind: "reject_once" },
  ];
  update("tool_call", { ...call, status: "pending" });
  send({ id: 1, method: "session/request_permission", params: { sessionId: "s1", toolCall: call, options } });
  const answer = JSON.parse((await lines.next()).value);
  const allowed = answer.result?.outcome?.optionId === "yes";
  if (allowed) writeFileSync(path, text);
  update("tool_call_update", { toolCallId: "write", status: allowed ? "completed" : "failed" });
  update("agent_message_chunk", { content: { type: "text", text: allowed ? "Written." : "Not written." } });
  return { stopReason: "end_turn" };
}

for await (const line of lines) {
  const { id, method, params } = JSON.parse(line);
  let result = {};
  if (method === "initialize") result = { protocolVersion: 1, agentInfo: { name: "notes", version: "1" }, agentCapabilities: {} };
  if (method === "session/new") [folder, result] = [params.cwd, { sessionId: "s1" }];
  if (method === "session/prompt") result = await prompt(params.prompt[0].text);
  if (id !== undefined) send({ id, result });
}
