import type { ActorCard as Card, WorkClaim } from '@collab-spaces/client'
import { Link } from 'wouter'
import { Avatar } from '../../shared/components/Avatar'
import { Badge } from '../../shared/components/Badge'
import { ErrorNote } from '../../shared/components/ErrorNote'
import { Skeleton } from '../../shared/components/Skeleton'
import { SpaceName } from '../../shared/components/SpaceName'
import { Time, useMinute } from '../../shared/components/Time'
import { hasStatus } from '../../shared/explain'
import { eventPath, spacePath } from '../../shared/navigation/paths'
import { useActorCard } from '../../shared/query/actor'
import { useIsAdmin } from '../../shared/query/tenant'
import { useSession } from '../../shared/session/session'
import { texts } from '../../shared/texts'
import { clockTime, clockTimeIn } from '../../shared/time'
import { StopButton } from '../agent/StopButton'
import styles from './ActorCard.module.css'
import { MessageButton } from './MessageButton'
import { cardTexts } from './texts'

interface ActorCardProps {
  readonly actorId: string
  /** The name in the text that opened the card. */
  readonly name: string
}

/** An actor's name, sponsor, profile, current work and common spaces. */
export function ActorCard({ actorId, name }: ActorCardProps) {
  const { data: card, error } = useActorCard(actorId)
  if (card) return <ActorDetails card={card} />
  if (!error) return <Skeleton rows={2} />
  if (!hasStatus(error, 404)) return <ErrorNote error={error} />
  return (
    <div className={styles.card}>
      <p className={styles.name}>
        <bdi>{name}</bdi>
      </p>
      <p className={styles.fact}>{cardTexts.unknown}</p>
    </div>
  )
}

function ActorDetails({ card }: { readonly card: Card }) {
  const { actor_id, display_name, actor_type, sponsor_name, agent_profile, connected_at, stopped, title, time_zone } =
    card
  const isMe = actor_id === useSession().account.actorId
  const words = cardTexts
  return (
    <div className={styles.card}>
      <header className={styles.head}>
        <Avatar
          id={actor_id}
          name={display_name}
          kind={actor_type}
          isStopped={stopped !== null}
          isPresent={card.is_present}
        />
        <div>
          <p className={styles.name}>
            <bdi>{display_name}</bdi>
          </p>
          <p className={styles.badges}>
            <Badge tone={actor_type}>{texts.speakers[actor_type]}</Badge>
            {isMe && <Badge tone="accent">{texts.members.you}</Badge>}
            {card.is_admin && <Badge>{texts.members.admin}</Badge>}
            {stopped && <Badge tone="bad">{texts.agents.stopped}</Badge>}
            {card.is_disabled && <Badge tone="bad">{texts.members.disabled}</Badge>}
          </p>
        </div>
      </header>
      {title && <p className={styles.title}>{title}</p>}
      {time_zone !== null && !isMe && <LocalTime zone={time_zone} name={display_name} />}
      {agent_profile && <p className={styles.profile}>{agent_profile}</p>}
      {sponsor_name !== null && <p className={styles.fact}>{texts.people.agentOf(sponsor_name)}</p>}
      {connected_at !== null && (
        <p className={styles.fact}>
          {words.connected} <Time at={connected_at} />
        </p>
      )}
      {stopped && (
        <p className={styles.fact}>
          {texts.agents.stoppedSince} <Time at={stopped.stopped_at} />
          {stopped.reason && `: ${stopped.reason}`}
        </p>
      )}
      {card.is_present && !isMe && <p className={styles.fact}>{texts.people.here}</p>}
      {card.last_seen_at !== null && !card.is_present && !isMe && (
        <p className={styles.fact}>
          {words.lastSeen} <Time at={card.last_seen_at} />
        </p>
      )}
      {card.claims.map((claim) => (
        <Work key={claim.claim_id} claim={claim} />
      ))}
      {!isMe && <Spaces ids={card.common_spaces} />}
      <div className={styles.actions}>
        {!isMe && !card.is_disabled && <MessageButton actorId={actor_id} name={display_name} />}
        {actor_type === 'agent' && <StopControl card={card} />}
      </div>
    </div>
  )
}

/** The time where the actor is: "15:40 for Ada". */
function LocalTime({ zone, name }: { readonly zone: string; readonly name: string }) {
  const time = clockTimeIn(zone, useMinute())
  return time === null ? null : <p className={styles.fact}>{cardTexts.localTime(time, name)}</p>
}

/** A claim: "Working in plans until 14:05", with its progress, note or key. */
function Work({ claim: { space_id, event_id, expires_at, progress, note, key } }: { readonly claim: WorkClaim }) {
  const words = cardTexts
  const what = progress ?? note ?? key
  return (
    <p className={styles.fact}>
      {words.workingIn}{' '}
      <Link href={event_id === null ? spacePath(space_id) : eventPath(space_id, event_id)}>
        <SpaceName spaceId={space_id} />
      </Link>
      {words.until(clockTime(expires_at))}
      {what !== null && (
        <>
          : <bdi>{what}</bdi>
        </>
      )}
    </p>
  )
}

const MAX_SPACES = 5

function Spaces({ ids }: { readonly ids: readonly string[] }) {
  const words = cardTexts
  if (ids.length === 0) return <p className={styles.fact}>{words.noSpaces}</p>
  return (
    <p className={styles.fact}>
      {words.spaces}{' '}
      {ids.slice(0, MAX_SPACES).map((id, at) => (
        <span key={id}>
          {at > 0 && ', '}
          <Link href={spacePath(id)}>
            <SpaceName spaceId={id} />
          </Link>
        </span>
      ))}
      {ids.length > MAX_SPACES && words.moreSpaces(ids.length - MAX_SPACES)}
    </p>
  )
}

/** Stops and starts an agent, for its sponsor and for tenant admins. */
function StopControl({ card }: { readonly card: Card }) {
  const { account } = useSession()
  const isAdmin = useIsAdmin()
  if (account.kind !== 'human' || !(isAdmin || card.sponsor_id === account.actorId)) return null
  return <StopButton agent={card} />
}
