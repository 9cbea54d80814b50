import { useSpaceName } from '../query/space-name'

/** The name of a space, in whatever direction it is written. */
export const SpaceName = ({ spaceId }: { readonly spaceId: string }) => <bdi>{useSpaceName(spaceId)}</bdi>
