/** What is left for the agent to say: where it runs. */
const HERE = '$(hostname)'

/**
 * A line of shell with which an agent redeems a code. The key that it gets goes into a file that only its owner can
 * read, and is never shown.
 */
export const joinLine = (server: string, code: string): string => {
  const body = `{\\"code\\":\\"${code}\\",\\"installation_id\\":\\"${HERE}\\"}`
  const header = 'content-type: application/json'
  return `(umask 077; curl -fsS -o spaces-agent.json -H '${header}' -d "${body}" ${server}/api/agent-codes/redeem)`
}
