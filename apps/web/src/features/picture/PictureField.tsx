import { type DragEvent, useEffect, useRef, useState } from 'react'
import { type ActorKind, Avatar } from '../../shared/components/Avatar'
import { Button } from '../../shared/components/Button'
import { addressOf } from '../../shared/query/picture-loader'
import styles from './PictureField.module.css'
import { squareOf } from './square'
import { pictureTexts } from './texts'

/** A new picture, null for none, or undefined for the present one. */
export type PictureChoice = Blob | null | undefined

interface PictureFieldProps {
  readonly actorId: string
  readonly name: string
  readonly kind: ActorKind
  /** Whether the actor has a picture. */
  readonly hasPicture: boolean
  readonly value: PictureChoice
  readonly onChange: (picture: PictureChoice) => void
}

/** Chooses a picture: from a file, which can also be dropped on it. Shows how it will look. */
export function PictureField({ actorId, name, kind, hasPicture, value, onChange }: PictureFieldProps) {
  const [isUnreadable, setIsUnreadable] = useState(false)
  const [isOver, setIsOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const address = useAddress(value)
  const words = pictureTexts
  const take = async (file: File | undefined) => {
    if (!file) return
    try {
      onChange(await squareOf(file))
      setIsUnreadable(false)
    } catch {
      setIsUnreadable(true)
    }
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    // A composer below the dialog would attach it.
    event.stopPropagation()
    setIsOver(false)
    void take(event.dataTransfer.files[0])
  }
  const onDragOver = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(true)
  }
  const isShown = value === undefined ? hasPicture : value !== null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a row
    <div
      role="group"
      aria-label={words.label}
      className={styles.field}
      data-over={isOver || undefined}
      onDragOver={onDragOver}
      onDragLeave={() => setIsOver(false)}
      onDrop={onDrop}
    >
      <Avatar id={actorId} name={name} kind={kind} size="large" picture={value === undefined ? undefined : address} />
      <div className={styles.side}>
        <div className={styles.buttons}>
          <Button size="small" icon="image" onClick={() => input.current?.click()}>
            {words.choose}
          </Button>
          {isShown && (
            <Button size="small" look="plain" onClick={() => onChange(hasPicture ? null : undefined)}>
              {words.remove}
            </Button>
          )}
        </div>
        <p className={isUnreadable ? styles.error : styles.hint} role={isUnreadable ? 'alert' : undefined}>
          {isUnreadable ? words.unreadable : words.hint}
        </p>
      </div>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label={words.choose}
        onChange={({ target }) => {
          void take(target.files?.[0])
          // The same file can be chosen again.
          target.value = ''
        }}
      />
    </div>
  )
}

/** The address of a chosen picture; null for none. */
function useAddress(picture: PictureChoice): string | null {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    let isCurrent = true
    setAddress(null)
    if (picture) void addressOf(picture).then((made) => isCurrent && setAddress(made))
    return () => {
      isCurrent = false
    }
  }, [picture])
  return address
}
