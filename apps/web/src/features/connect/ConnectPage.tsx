import { cutText, LIMITS } from '@collab-spaces/client'
import { type FormEvent, useState } from 'react'
import { useParams } from 'wouter'
import { Button } from '../../shared/components/Button'
import { EmptyState } from '../../shared/components/EmptyState'
import { ErrorNote } from '../../shared/components/ErrorNote'
import { Fact, Facts } from '../../shared/components/Fact'
import { SelectField, TextField } from '../../shared/components/Field'
import { Loaded } from '../../shared/components/Loaded'
import { PageFrame, Section } from '../../shared/components/PageFrame'
import { useTitle } from '../../shared/navigation/title'
import { useMyAgents, useRegisterAgent } from '../../shared/query/agent'
import { type ConnectRequest, useAnswer, useConnectRequest } from '../../shared/query/connect'
import { useSession } from '../../shared/session/session'
import { texts } from '../../shared/texts'
import { LimitsFields } from '../credential/LimitsFields'
import { type LimitsDraft, limitsOf } from '../credential/limits'
import styles from './ConnectPage.module.css'
import { connectTexts } from './texts'

/** The OAuth consent page: the actor, spaces, scopes and lifetime of an app's grant. */
export function ConnectPage() {
  const { uid = '' } = useParams<{ uid: string }>()
  const { account } = useSession()
  const request = useConnectRequest(uid)
  const words = connectTexts
  const name = request.data && nameOf(request.data)
  useTitle(words.title)
  return (
    <PageFrame title={name === undefined ? words.title : words.titleOf(name)} lead={words.lead}>
      {account.kind === 'agent' ? (
        <EmptyState icon="warning" title={words.onlyHumans} />
      ) : (
        <Loaded query={request} rows={4}>
          {(request) => (
            <>
              <Requester request={request} />
              <ConnectForm uid={uid} request={request} />
            </>
          )}
        </Loaded>
      )}
    </PageFrame>
  )
}

const nameOf = ({ client_name, redirect_to }: ConnectRequest): string => client_name ?? redirect_to

function Requester({ request: { client_name, client_host, redirect_to } }: { readonly request: ConnectRequest }) {
  const words = connectTexts
  return (
    <Section title={words.who}>
      <Facts isCard>
        <Fact name={words.name}>{client_name ?? words.noName}</Fact>
        <Fact name={words.host}>{client_host ?? words.unverified}</Fact>
        <Fact name={words.redirect}>{redirect_to}</Fact>
      </Facts>
    </Section>
  )
}

/** Stands for the ID of an agent to create. */
const NEW_AGENT = 'new'

/** The scopes selected at first, which most apps need. */
const DEFAULT_SCOPES = ['read', 'write']

function ConnectForm({ uid, request }: { readonly uid: string; readonly request: ConnectRequest }) {
  const { account } = useSession()
  const { data: agents = [] } = useMyAgents()
  const [actorId, setActorId] = useState(account.actorId)
  const [agentName, setAgentName] = useState(() => cutText(request.client_name ?? '', LIMITS.displayName))
  const [draft, setDraft] = useState<LimitsDraft>(() => initialLimits(request))
  const register = useRegisterAgent()
  const answer = useAnswer(uid)
  const words = connectTexts
  const leave = {
    onSuccess: ({ redirect_to }: { readonly redirect_to: string }) => window.location.assign(redirect_to),
  }

  const allowAs = (actor_id: string) => {
    const { space_ids, expires_at } = limitsOf(draft, Date.now())
    answer.mutate({ actor_id, scopes: [...draft.scopes], space_ids, expires_at }, leave)
  }
  const allow = (event: FormEvent) => {
    event.preventDefault()
    if (actorId !== NEW_AGENT) return allowAs(actorId)
    const agent = { display_name: agentName, scopes: [...draft.scopes] }
    register.mutate(agent, {
      onSuccess: ({ actor_id }) => {
        // A retry uses the agent that now exists.
        setActorId(actor_id)
        allowAs(actor_id)
      },
    })
  }
  const refusal = register.error ?? answer.error
  return (
    <Section title={words.what}>
      <form className={styles.form} onSubmit={allow}>
        <SelectField
          label={words.as}
          hint={actorId === account.actorId ? words.asYourself : words.asAgent}
          value={actorId}
          options={[
            { value: account.actorId, label: texts.people.you(account.name) },
            ...agents.map(({ actor_id, display_name }) => ({ value: actor_id, label: words.agent(display_name) })),
            { value: NEW_AGENT, label: words.newAgent },
          ]}
          onChange={setActorId}
        />
        {actorId === NEW_AGENT && (
          <TextField
            label={words.agentName}
            value={agentName}
            onChange={setAgentName}
            maxLength={LIMITS.displayName}
            required
          />
        )}
        <LimitsFields draft={draft} onChange={setDraft} />
        {refusal !== null && <ErrorNote error={refusal} />}
        <div className={styles.actions}>
          <Button onClick={() => answer.mutate({ error: 'access_denied' }, leave)}>{words.deny}</Button>
          <Button
            look="primary"
            type="submit"
            isBusy={register.isPending || answer.isPending || answer.isSuccess}
            disabled={draft.scopes.length === 0}
          >
            {words.allow}
          </Button>
        </div>
      </form>
    </Section>
  )
}

function initialLimits({ scopes }: ConnectRequest): LimitsDraft {
  const usual = scopes.filter((scope) => DEFAULT_SCOPES.includes(scope))
  return { scopes: usual.length > 0 ? usual : scopes, spaceIds: [], lifetime: 'quarter' }
}
