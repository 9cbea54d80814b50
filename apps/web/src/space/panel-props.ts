/** The properties of every panel beside the history of a space. */
export interface PanelProps {
  readonly spaceId: string
  readonly onClose: () => void
}
