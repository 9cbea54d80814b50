import { useSpaceName } from '../query/space-name'

/** The name of a space, in its own text direction. */
export const SpaceName = ({ spaceId }: { readonly spaceId: string }) => <bdi>{useSpaceName(spaceId)}</bdi>
