// An agent of the Agent Client Protocol, built with its public SDK. It follows the instructions in the events that it
// answers, one a line:
//   say TEXT            answers with a percent-decoded text
//   warn TEXT           sends a percent-decoded notice, or answers it to a client without notices
//   ask TITLE           asks for permission, and answers with the outcome
//   wait                works until it is cancelled
//   deaf                never ends
//   crash               exits with 7
//   once INSTRUCTION    follows it, unless it has done so before
//   write NAME TEXT     writes a file with a percent-decoded name to the outbox
//   fill NAME BYTES     writes a file of this size
//   link NAME TARGET    creates a symbolic link in the outbox
//   lock NAME           takes the permissions of an entry of the outbox away
//   show                answers with the parts of the prompt after its text, and reads the links
//   stop REASON         ends with a stop reason
//   tire                returns an error if this session was prompted before
//   choke               returns an error if this session was ever shown an image
//   flood, garbage      write too much, or invalid messages
//   refuse              returns an error
// It logs its activity to AGENT_LOG. With AGENT_KEEPS it stores its sessions in AGENT_LOG.sessions.
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { agent, methods, ndJsonStream, RequestError } from '@agentclientprotocol/sdk'

// biome-ignore lint/style/noProcessEnv: its environment configures it
const { AGENT_LOG, AGENT_KEEPS, AGENT_DIES, AGENT_IS_BLIND, AGENT_WANTS_KEY } = process.env
const log = (...words) => appendFileSync(AGENT_LOG, `${words.join(' ')}\n`)
const countOf = (line) =>
  existsSync(AGENT_LOG)
    ? readFileSync(AGENT_LOG, 'utf8')
        .split('\n')
        .filter((one) => one === line).length
    : 0

if (AGENT_DIES) {
  process.stderr.write('I do not feel well\u001b[31m\n')
  process.exit(3)
}

const SESSIONS = `${AGENT_LOG}.sessions`
const sessions = new Map()
let takesNotices = false
const cancelOf = (sessionId) => {
  const session = sessions.get(sessionId)
  session.cancelled = new Promise((resolve) => {
    session.cancel = resolve
  })
  return session
}

/** Returns the texts of the events to answer, without the context before them. */
function instructionsIn(prompt) {
  const events = prompt.slice(prompt.indexOf('These events mention you'))
  return Array.from(events.matchAll(/<event [^\n]*>\n(.*?)\n<\/event>/gs), ([, text]) => text.split('\n'))
    .flat()
    .map((line) => line.replace(/^@\w+,? /, ''))
}

const OPTIONS = [
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'once', name: 'This time', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
]

async function follow(line, { client, sessionId, session, outbox }) {
  const [verb, ...words] = line.split(' ')
  const rest = words.join(' ')
  const update = (update) => client.notify(methods.client.session.update, { sessionId, update })
  const say = (text) => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })
  switch (verb) {
    case 'say':
      for (const word of decodeURIComponent(rest).split(/(?<= )/)) await say(word)
      return
    case 'warn':
      if (!takesNotices) return say(`Warning: ${rest}\n\n`)
      return update({
        sessionUpdate: 'notice',
        severity: 'warning',
        title: 'Warning',
        description: decodeURIComponent(rest),
      })
    case 'ask': {
      const toolCallId = `call-${Math.random()}`
      await update({
        sessionUpdate: 'tool_call',
        toolCallId,
        title: rest,
        kind: 'execute',
        rawInput: { command: rest },
      })
      log('asks', rest)
      const { outcome } = await client.request(methods.client.session.requestPermission, {
        sessionId,
        toolCall: { toolCallId },
        options: OPTIONS,
      })
      log('got', outcome.optionId ?? outcome.outcome)
      return say(`${rest}: ${outcome.optionId ?? outcome.outcome}.`)
    }
    case 'wait':
      log('waits')
      return session.cancelled
    case 'deaf':
      log('is deaf')
      return new Promise(() => {})
    case 'crash':
      log('crashes')
      return process.exit(7)
    case 'once':
      if (countOf(`did ${rest}`) > 0) return
      log('did', rest)
      return follow(rest, { client, sessionId, session, outbox })
    case 'write':
    case 'fill':
    case 'link': {
      const [name, ...value] = words
      const path = join(outbox, decodeURIComponent(name))
      mkdirSync(dirname(path), { recursive: true })
      if (verb === 'link') symlinkSync(value.join(' '), path)
      else writeFileSync(path, verb === 'fill' ? 'x'.repeat(Number(value[0])) : value.join(' '))
      return
    }
    case 'lock':
      return chmodSync(join(outbox, rest), 0)
    case 'stop':
      session.stopReason = rest
      return
    case 'tire':
      if (countOf(`prompt ${sessionId}`) > 1) throw new RequestError(-32603, 'The prompt is too long')
      return
    case 'show':
      for (const { type, uri, name, mimeType, data } of session.parts) {
        const content = type === 'image' ? Buffer.from(data, 'base64') : readFileSync(new URL(uri))
        await say(`${type} ${name ?? mimeType} ${uri.split('/').at(-1)} ${content.length}\n`)
      }
      return
    case 'choke':
      if (session.sawImage) throw new RequestError(-32603, 'No such image')
      return
    case 'flood':
      for (;;) await say('x'.repeat(100_000))
    case 'garbage':
      for (let n = 0; n < 5_000; n++) process.stdout.write('What?\n')
      return new Promise(() => {})
    case 'refuse':
      throw new RequestError(-32603, 'No more tokens')
    default:
      return
  }
}

log('starts', process.pid)
process.stdin.on('end', () => process.exit())

agent({ name: 'scripted' })
  .onRequest(methods.agent.initialize, ({ params }) => {
    takesNotices = Boolean(params.clientCapabilities?.session?.notices)
    return {
      protocolVersion: params.protocolVersion,
      agentCapabilities: {
        loadSession: AGENT_KEEPS === 'load',
        promptCapabilities: { image: !AGENT_IS_BLIND },
        sessionCapabilities: AGENT_KEEPS === 'resume' ? { resume: {} } : {},
      },
      authMethods: [{ id: 'key', name: 'A key' }],
    }
  })
  .onRequest(methods.agent.session.new, ({ params }) => {
    if (AGENT_WANTS_KEY) throw RequestError.authRequired()
    const sessionId = `session-${process.pid}-${sessions.size}`
    log('new', sessionId, params.mcpServers.length)
    appendFileSync(SESSIONS, `${sessionId}\n`)
    sessions.set(sessionId, {})
    return { sessionId }
  })
  .onRequest(methods.agent.session.load, async ({ params: { sessionId }, client }) => {
    if (!readFileSync(SESSIONS, 'utf8').includes(sessionId)) throw RequestError.resourceNotFound()
    log('load', sessionId)
    sessions.set(sessionId, {})
    // Replays an earlier message, which is not part of an answer.
    const content = { type: 'text', text: 'What I said before' }
    await client.notify(methods.client.session.update, {
      sessionId,
      update: { sessionUpdate: 'agent_message_chunk', content },
    })
    return {}
  })
  .onRequest(methods.agent.session.resume, ({ params: { sessionId } }) => {
    log('resume', sessionId)
    sessions.set(sessionId, {})
    return {}
  })
  .onRequest(methods.agent.session.prompt, async ({ params: { sessionId, prompt }, client }) => {
    const session = cancelOf(sessionId)
    const [{ text }, ...parts] = prompt
    session.parts = parts
    session.sawImage ||= parts.some(({ type }) => type === 'image')
    log('prompt', sessionId)
    appendFileSync(`${AGENT_LOG}.prompt`, text)
    const [, outbox] = /write them to (\S+)\/ in/.exec(text)
    for (const line of instructionsIn(text)) {
      await follow(line, { client, sessionId, session, outbox })
      if (session.stopReason) return { stopReason: session.stopReason }
    }
    const isCancelled = await Promise.race([session.cancelled, Promise.resolve('no')])
    return { stopReason: isCancelled === 'no' ? 'end_turn' : 'cancelled' }
  })
  .onNotification(methods.agent.session.cancel, ({ params: { sessionId } }) => {
    log('cancelled', sessionId)
    sessions.get(sessionId)?.cancel('yes')
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)))
