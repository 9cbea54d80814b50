import { LIMITS } from '@collab-spaces/client'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { ChoiceList } from '../../shared/components/ChoiceList'
import { FormDialog } from '../../shared/components/Dialog'
import { spacePath } from '../../shared/navigation/paths'
import { usePartners } from '../../shared/query/names'
import { useConversation } from '../../shared/query/space'
import { texts } from '../../shared/texts'
import { conversationTexts } from './texts'

/** Starts a conversation with one or more actors, or opens the existing one. */
export function StartConversation({ onClose }: { readonly onClose: () => void }) {
  const [selected, setSelected] = useState<readonly string[]>([])
  const { partners, isAwaited } = usePartners()
  const [, navigate] = useLocation()
  const talk = useConversation()
  const words = conversationTexts
  // The account itself is a member, too.
  const isTooMany = selected.length >= LIMITS.conversation
  return (
    <FormDialog
      title={texts.conversations.create}
      request={talk}
      submit={words.submit}
      isPossible={selected.length > 0 && !isTooMany}
      onClose={onClose}
      onSubmit={() => talk.mutate(selected, { onSuccess: ({ space_id }) => navigate(spacePath(space_id)) })}
    >
      <ChoiceList
        label={words.to}
        hint={isTooMany ? words.tooMany(LIMITS.conversation - 1) : words.hint}
        isAwaited={isAwaited}
        options={partners.map(({ actorId, name, kind }) => ({
          value: actorId,
          label: kind === 'agent' ? texts.people.agentNamed(name) : name,
        }))}
        selected={selected}
        onChange={setSelected}
      />
    </FormDialog>
  )
}
