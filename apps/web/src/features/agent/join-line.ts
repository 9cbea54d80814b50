/** The line that makes an installation the agent, where the `spaces` command is at hand. */
export const joinLine = (server: string, code: string): string => `spaces agent join ${code} --url ${server}`

/** The part that the agent fills in: where it runs. */
const HERE = '$(hostname)'

/**
 * The same with curl. The key goes into a file that only its owner can read, and is never shown.
 */
export const curlLine = (server: string, code: string): string => {
  const body = `{\\"code\\":\\"${code}\\",\\"installation_id\\":\\"${HERE}\\"}`
  const header = 'content-type: application/json'
  return `(umask 077; curl -fsS -o spaces-agent.json -H '${header}' -d "${body}" ${server}/api/agent-codes/redeem)`
}
