import type { Space } from '@collab-spaces/client'
import { useState } from 'react'
import { Button } from '../../shared/components/Button'
import { List } from '../../shared/components/List'
import { Section } from '../../shared/components/PageFrame'
import { texts } from '../../shared/texts'
import { SpaceRow } from './SpaceRow'

/** The number shown at first, by latest activity. */
const MAX_SHOWN = 10

/** The conversations of this account, named by their partners. */
export function ConversationList({ conversations }: { readonly conversations: readonly Space[] }) {
  const [showsAll, setShowsAll] = useState(false)
  const words = texts.conversations
  if (conversations.length === 0) return null
  const shown = showsAll ? conversations : conversations.slice(0, MAX_SHOWN)
  return (
    <Section title={words.title}>
      <List label={words.title}>
        {shown.map((space) => (
          <SpaceRow key={space.space_id} space={space} />
        ))}
      </List>
      {shown.length < conversations.length && (
        <Button size="small" onClick={() => setShowsAll(true)}>
          {words.all(conversations.length)}
        </Button>
      )}
    </Section>
  )
}
