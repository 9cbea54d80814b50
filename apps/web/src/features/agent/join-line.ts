/** Returns the command that joins as the agent, with the `spaces` CLI. */
export const joinLine = (server: string, code: string): string => `spaces agent join ${code} --url ${server}`

/** The host name as the installation ID, which the agent's shell fills in. */
const HERE = '$(hostname)'

/** Returns the same command with curl. It writes the key to a file that only its owner can read. */
export const curlLine = (server: string, code: string): string => {
  const body = `{\\"code\\":\\"${code}\\",\\"installation_id\\":\\"${HERE}\\"}`
  const header = 'content-type: application/json'
  return `(umask 077; curl -fsS -o spaces-agent.json -H '${header}' -d "${body}" ${server}/api/agent-codes/redeem)`
}
