/*
 * Reads many streams at once and says how late their events were. It shares its cores with the server, so it does as
 * little as it can: of what comes in, it looks at the stamps (stamp.ts) only, and one process reads all the streams.
 *
 *   reader ADDRESS PORT COUNT REQUEST...
 *
 * opens COUNT streams, with the requests in turn, and prints "open" when all of them are. For each line that it is sent
 * it prints what was seen so far, as JSON. It ends with its input, or with a line about what went wrong.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MARK "@@"
#define MARK_LENGTH 2
#define STAMP_LENGTH 18
#define OPENING_AT_ONCE 100
/* In microseconds. */
#define LATENESS_STEP 100
#define LATENESS_STEPS 100000

struct stream {
  int socket;
  int is_open;
  uint64_t seen;
  /* What may be the beginning of a stamp. */
  int rest_length;
  char rest[STAMP_LENGTH];
};

static struct sockaddr_in server;
static char **requests;
static int request_count;
static struct stream *streams;
static int wanted, started, opened;
static int events;
/* How many events were late by so many steps; the last one by more. */
static uint64_t lateness[LATENESS_STEPS];
static char buffer[STAMP_LENGTH + 256 * 1024];

static void fail(const char *message) {
  printf("%s\n", message);
  exit(1);
}

static uint64_t now_in_micros(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void watch(int descriptor, struct stream *stream) {
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = stream};
  if (epoll_ctl(events, EPOLL_CTL_ADD, descriptor, &event) != 0) fail(strerror(errno));
}

static void start_next(void) {
  if (started == wanted) return;
  const char *request = requests[started % request_count];
  struct stream *stream = &streams[started++];
  stream->socket = socket(AF_INET, SOCK_STREAM, 0);
  if (stream->socket < 0) fail(strerror(errno));
  if (connect(stream->socket, (struct sockaddr *)&server, sizeof server) != 0) fail(strerror(errno));
  if (write(stream->socket, request, strlen(request)) < 0) fail(strerror(errno));
  watch(stream->socket, stream);
}

static void check_head(struct stream *stream, const char *head, int length) {
  static const char ok[] = "HTTP/1.1 200";
  if (length < (int)sizeof ok || memcmp(head, ok, sizeof ok - 1) != 0) {
    printf("A stream was refused: %.*s\n", (int)strcspn(head, "\r\n"), head);
    exit(1);
  }
  stream->is_open = 1;
  if (++opened == wanted) puts("open");
  start_next();
}

static void note(struct stream *stream, const char *stamp, uint64_t now) {
  uint64_t sent = 0;
  for (int at = MARK_LENGTH; at < STAMP_LENGTH; at++) sent = sent * 10 + (stamp[at] - '0');
  uint64_t step = (now - sent) / LATENESS_STEP;
  lateness[step < LATENESS_STEPS ? step : LATENESS_STEPS - 1]++;
  stream->seen++;
}

static void take(struct stream *stream) {
  char *received = buffer + STAMP_LENGTH;
  int length = read(stream->socket, received, sizeof buffer - STAMP_LENGTH - 1);
  if (length <= 0) fail("A stream was closed by the server");
  received[length] = '\0';
  uint64_t now = now_in_micros();
  if (!stream->is_open) check_head(stream, received, length);

  char *from = received - stream->rest_length;
  char *end = received + length;
  memcpy(from, stream->rest, stream->rest_length);
  char *stamp;
  while ((stamp = memmem(from, end - from, MARK, MARK_LENGTH)) != NULL && stamp + STAMP_LENGTH <= end) {
    note(stream, stamp, now);
    from = stamp + STAMP_LENGTH;
  }
  if (end - from >= STAMP_LENGTH) from = end - STAMP_LENGTH + 1;
  char *rest = memchr(from, MARK[0], end - from);
  stream->rest_length = rest == NULL ? 0 : end - rest;
  memcpy(stream->rest, end - stream->rest_length, stream->rest_length);
}

static void tell_what_was_seen(void) {
  uint64_t least = UINT64_MAX, most = 0, total = 0;
  for (int n = 0; n < wanted; n++) {
    uint64_t seen = streams[n].seen;
    if (seen < least) least = seen;
    if (seen > most) most = seen;
    total += seen;
  }
  printf("{\"least\":%" PRIu64 ",\"most\":%" PRIu64 ",\"total\":%" PRIu64 ",\"lateness\":[", least, most, total);
  const char *separator = "";
  for (int step = 0; step < LATENESS_STEPS; step++) {
    if (lateness[step] == 0) continue;
    printf("%s{\"ms\":%.1f,\"events\":%" PRIu64 "}", separator, (step + 1) * LATENESS_STEP / 1000.0, lateness[step]);
    separator = ",";
  }
  puts("]}");
}

static void answer(void) {
  char line[64];
  if (read(STDIN_FILENO, line, sizeof line) <= 0) exit(0);
  tell_what_was_seen();
}

int main(int count, char **arguments) {
  if (count < 5) fail("Usage: reader ADDRESS PORT COUNT REQUEST...");
  server.sin_family = AF_INET;
  server.sin_port = htons(atoi(arguments[2]));
  if (inet_pton(AF_INET, arguments[1], &server.sin_addr) != 1) fail("ADDRESS is not an IPv4 address");
  wanted = atoi(arguments[3]);
  requests = arguments + 4;
  request_count = count - 4;
  streams = calloc(wanted, sizeof *streams);
  events = epoll_create1(0);
  setvbuf(stdout, NULL, _IOLBF, 1 << 16);

  /* A write to a stream that the server has closed fails, with a message. */
  signal(SIGPIPE, SIG_IGN);
  watch(STDIN_FILENO, NULL);
  for (int n = 0; n < OPENING_AT_ONCE; n++) start_next();
  for (;;) {
    struct epoll_event ready[512];
    int ready_count = epoll_wait(events, ready, 512, -1);
    for (int n = 0; n < ready_count; n++) {
      struct stream *stream = ready[n].data.ptr;
      if (stream == NULL) answer();
      else take(stream);
    }
  }
}
