import type { Actor } from '@collab-spaces/client'
import { useState } from 'react'
import { FormDialog } from '../../shared/components/Dialog'
import { useChangePicture } from '../../shared/query/picture'
import { type PictureChoice, PictureField } from './PictureField'
import { pictureTexts } from './texts'

interface AgentPictureProps {
  readonly agent: Actor
  readonly onClose: () => void
}

/** Changes the picture of an agent, for its sponsor. */
export function AgentPicture({ agent, onClose }: AgentPictureProps) {
  const [picture, setPicture] = useState<PictureChoice>()
  const change = useChangePicture(agent.actor_id)
  const words = pictureTexts
  return (
    <FormDialog
      title={words.ofAgent(agent.display_name)}
      request={change}
      isPossible={picture !== undefined}
      onClose={onClose}
      onSubmit={() => picture !== undefined && change.mutate(picture, { onSuccess: onClose })}
    >
      <PictureField
        actorId={agent.actor_id}
        name={agent.display_name}
        kind="agent"
        hasPicture={agent.picture !== null}
        value={picture}
        onChange={setPicture}
      />
    </FormDialog>
  )
}
