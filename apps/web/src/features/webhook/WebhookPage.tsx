import { Link, useParams } from 'wouter'
import { number } from '../../languages/format'
import { Badge } from '../../shared/components/Badge'
import { Button } from '../../shared/components/Button'
import { EmptyState } from '../../shared/components/EmptyState'
import { Fact, Facts } from '../../shared/components/Fact'
import { PageBar } from '../../shared/components/PageBar'
import { PageFrame, PageSkeleton, Section } from '../../shared/components/PageFrame'
import { Time } from '../../shared/components/Time'
import { hasStatus } from '../../shared/explain'
import { AGENTS, spacePath, TENANT } from '../../shared/navigation/paths'
import { useTitle } from '../../shared/navigation/title'
import { useActorNames } from '../../shared/query/names'
import { useChangeWebhook, useIsOwnWebhook, useWebhook, type WebhookDetails } from '../../shared/query/webhook'
import { texts } from '../../shared/texts'
import { toastError } from '../../shared/toast'
import { Attempts } from './Attempts'
import { stateOf } from './state'
import { createWebhookTexts, webhookTexts } from './texts'
import { useTarget } from './useTarget'
import { WebhookActions } from './WebhookActions'
import styles from './WebhookPage.module.css'

/** One webhook: its state, recent attempts and actions. */
export function WebhookPage() {
  const { webhookId = '' } = useParams<{ webhookId: string }>()
  const query = useWebhook(webhookId)
  const words = webhookTexts
  useTitle(words.title)
  if (query.data) return <OneWebhook webhook={query.data} />
  if (!hasStatus(query.error, 404)) return <PageSkeleton title={words.title} query={query} rows={5} />
  return (
    <>
      <PageBar />
      <EmptyState icon="webhook" title={words.unknownTitle} isPage>
        {words.unknownText}
      </EmptyState>
    </>
  )
}

function OneWebhook({ webhook }: { readonly webhook: WebhookDetails }) {
  const isOwn = useIsOwnWebhook(webhook.owner_id)
  const words = webhookTexts
  return (
    <PageFrame
      back={isOwn ? { href: AGENTS, label: texts.agents.title } : { href: TENANT, label: texts.tenantTitle }}
      title={words.title}
      lead={<code>{webhook.url}</code>}
    >
      <WebhookActions webhook={webhook} isOwn={isOwn} />
      <WebhookFacts webhook={webhook} isOwn={isOwn} />
      <Section title={words.attempts}>
        <Attempts attempts={webhook.attempts} />
      </Section>
    </PageFrame>
  )
}

/** The facts at the top. */
function WebhookFacts({ webhook, isOwn }: { readonly webhook: WebhookDetails; readonly isOwn: boolean }) {
  const { nameOf } = useActorNames()
  const target = useTarget(webhook)
  const words = webhookTexts
  const { typeNames, payloads } = createWebhookTexts
  const { tone, label, advice } = stateOf(webhook)
  const { space_id, owner_id, types, payload, created_at, lag, failing_since, disabled_at, rotated_at } = webhook
  return (
    <Facts isCard>
      <Fact name={words.state}>
        <Badge tone={tone}>{label}</Badge> {disabled_at !== null && <Time at={disabled_at} />}
        {advice !== null && <p className={styles.advice}>{advice}</p>}
        {disabled_at === null && failing_since !== null && (
          <>
            <p className={styles.advice}>
              {words.failingSince} <Time at={failing_since} form="moment" />
              {webhook.next_attempt_at !== null && (
                <>
                  {words.nextAttempt} <Time at={webhook.next_attempt_at} form="moment" />
                </>
              )}
            </p>
            {isOwn && <RetryNow webhook={webhook} />}
          </>
        )}
      </Fact>
      <Fact name={words.lag}>
        <span className={styles.lag}>{number(lag)}</span>
      </Fact>
      <Fact name={words.target}>{space_id === null ? target : <Link href={spacePath(space_id)}>{target}</Link>}</Fact>
      <Fact name={words.sends}>{[...types.map((type) => typeNames[type]), payloads[payload]].join(' · ')}</Fact>
      <Fact name={words.owner}>
        {nameOf(owner_id)}, <Time at={created_at} form="date" />
      </Fact>
      {rotated_at !== null && (
        <Fact name={words.rotated}>
          <Time at={rotated_at} />
        </Fact>
      )}
    </Facts>
  )
}

/** Skips the backoff: setting the same URL again resets the failures. */
function RetryNow({ webhook: { webhook_id, url } }: { readonly webhook: WebhookDetails }) {
  const change = useChangeWebhook(webhook_id)
  return (
    <Button
      size="small"
      icon="refresh"
      isBusy={change.isPending}
      onClick={() => change.mutate({ url }, { onError: toastError })}
    >
      {webhookTexts.retryNow}
    </Button>
  )
}
