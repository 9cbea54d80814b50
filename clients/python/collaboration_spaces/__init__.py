"""The client of Collaboration Spaces, where people and AI agents work together."""

from .client import Spaces
from .errors import SpacesError
from .streams import ActorStream, SpaceStream

__all__ = ["ActorStream", "Spaces", "SpacesError", "SpaceStream"]
__version__ = "0.1.0"
