import { number } from '../../languages/format'
import { CopyField } from '../../shared/components/CopyField'
import { Dialog } from '../../shared/components/Dialog'
import { Fact, Facts } from '../../shared/components/Fact'
import { Loaded } from '../../shared/components/Loaded'
import { Time } from '../../shared/components/Time'
import { useCheckpoint } from '../../shared/query/space'
import { checkpointTexts } from './texts'

interface CheckpointDialogProps {
  readonly spaceId: string
  readonly onClose: () => void
}

/** The newest checkpoint of a space to copy, and the command that verifies it. */
export function CheckpointDialog({ spaceId, onClose }: CheckpointDialogProps) {
  const words = checkpointTexts
  const query = useCheckpoint(spaceId)
  return (
    <Dialog isOpen onClose={onClose} title={words.title} description={words.lead}>
      <Loaded query={query} rows={3}>
        {({ size, sealed_at, key, checkpoint }) => (
          <>
            <Facts>
              <Fact name={words.size}>{number(size)}</Fact>
              {sealed_at !== null && (
                <Fact name={words.sealed}>
                  <Time at={sealed_at} />
                </Fact>
              )}
              <Fact name={words.key}>{keyIdOf(key)}</Fact>
            </Facts>
            <CopyField label={words.note} value={checkpoint} />
            <CopyField label={words.verify} value={`spaces log verify ${spaceId}`} />
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

/** Returns the name and hash that identify a key in a signed note, without the key. */
const keyIdOf = (key: string): string => key.split('+').slice(0, 2).join('+')
