import { cutText } from '@collab-spaces/client'
import { useState } from 'react'
import { Button } from '../../shared/components/Button'
import { ErrorNote } from '../../shared/components/ErrorNote'
import { PageFrame, Section } from '../../shared/components/PageFrame'
import { useTitle } from '../../shared/navigation/title'
import { useAuthorizeCli } from '../../shared/query/sign-in'
import { useSession } from '../../shared/session/session'
import { commandTexts } from './texts'

interface CliRequest {
  readonly port: number
  readonly state: string
  readonly challenge: string
  readonly name: string
}

/** Returns the request of the CLI from the fragment of the address, which no log records. */
function requestIn(hash: string): CliRequest | null {
  const request = new URLSearchParams(hash.slice(1))
  const [port, state, challenge, name] = ['port', 'state', 'challenge', 'name'].map((one) => request.get(one) ?? '')
  const isWhole = /^\d{2,5}$/.test(port ?? '') && state && challenge && name
  return isWhole ? { port: Number(port), state, challenge, name: cutText(name, 100) } : null
}

/** Authorizes a CLI on this machine, which opened this page. Redirects the code to its local port. */
export function CommandPage() {
  const [request] = useState(() => requestIn(window.location.hash))
  const { account } = useSession()
  const letIn = useAuthorizeCli()
  const words = commandTexts
  useTitle(words.title)

  const allow = ({ port, state, challenge, name }: CliRequest) =>
    letIn.mutate(
      { challenge, name },
      {
        onSuccess: ({ code }) =>
          window.location.assign(`http://127.0.0.1:${port}/?${new URLSearchParams({ code, state })}`),
      },
    )
  return (
    <PageFrame title={words.title} lead={words.lead}>
      <Section title={request ? words.question(request.name, account.name) : words.nothing}>
        {letIn.error && <ErrorNote error={letIn.error} />}
        {request && (
          <Button look="primary" isBusy={letIn.isPending} onClick={() => allow(request)}>
            {words.allow}
          </Button>
        )}
      </Section>
    </PageFrame>
  )
}
