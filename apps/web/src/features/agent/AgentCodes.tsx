import type { AgentCode } from '@collab-spaces/client'
import { Button } from '../../shared/components/Button'
import { ErrorNote } from '../../shared/components/ErrorNote'
import { List, ListRow } from '../../shared/components/List'
import { Section } from '../../shared/components/PageFrame'
import { Skeleton } from '../../shared/components/Skeleton'
import { Time } from '../../shared/components/Time'
import { isOpenCode, useAgentCodes, useRevokeAgentCode } from '../../shared/query/agent-code'
import { texts } from '../../shared/texts'
import { Limits } from '../credential/Limits'
import { agentCodesTexts } from './texts'

/** Invited agents that have not joined yet. */
export function AgentCodes() {
  const { data: codes, isLoading } = useAgentCodes()
  const words = agentCodesTexts
  const open = (codes ?? []).filter(isOpenCode)
  if (isLoading) return <Skeleton rows={1} />
  if (open.length === 0) return null
  return (
    <Section title={words.title}>
      <List label={words.title}>
        {open.map((code) => (
          <CodeRow key={code.code_id} code={code} />
        ))}
      </List>
    </Section>
  )
}

function CodeRow({ code }: { readonly code: AgentCode }) {
  const { code_id, display_name, expires_at, scopes, space_ids, key_expires_at } = code
  const revoke = useRevokeAgentCode(code_id)
  const words = agentCodesTexts
  return (
    <ListRow
      icon="agent"
      title={display_name}
      actions={
        <Button
          size="small"
          isBusy={revoke.isPending}
          aria-label={words.revokeNamed(display_name)}
          onClick={() => revoke.mutate()}
        >
          {texts.revoke}
        </Button>
      }
    >
      <span>
        {words.until} <Time at={expires_at} form="clock" />
      </span>
      <Limits limits={{ scopes, space_ids, expires_at: key_expires_at }} />
      {revoke.isError && <ErrorNote error={revoke.error} />}
    </ListRow>
  )
}
