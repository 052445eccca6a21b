#include "probe.h"

#include "confine.h"

#define MAX_PROBES 160

static long call_controls[MAX_PROBES];
static long deed_controls[MAX_PROBES];
static long landlock;
static char report[16384];

static long attempt_call(const struct refused_call *call)
{
    const int *with = call->arguments;
    long result = kernel6(call->number, with[0], with[1], with[2], with[3], with[4], 0);
    if (result >= 3 && result != kernel(getpid))
        kernel(close, result);
    return result;
}

static int expected_of(const struct deed *deed, const struct options *options)
{
    return deed->expected[options->name_spaces ? (int)options->profile + BOX_WITH_SPACES : (int)options->profile];
}

void probe_controls(const struct options *options)
{
    unsigned box = 1U << options->profile;
    if (probe_call_count > MAX_PROBES || probe_deed_count > MAX_PROBES)
        fail("too many probes", NULL, 0);
    /* Inside, nobody may ask. */
    landlock = landlock_version();
    must(kernel(dup3, 2, LEAKED_DESCRIPTOR, 0), "leave a descriptor open", NULL);
    for (size_t index = 0; index < probe_call_count; index++)
        if (probe_calls[index].boxes & box)
            call_controls[index] = attempt_call(&probe_calls[index]);
    for (size_t index = 0; index < probe_deed_count; index++)
        if (expected_of(&probe_deeds[index], options) != SKIP && probe_deeds[index].control != CONTROL_UNSAFE)
            deed_controls[index] = probe_deeds[index].attempt(options);
}

static void say(const char *text)
{
    text_append(report, sizeof report, text);
}

static void say_result(const char *what, long result)
{
    say(what);
    if (result < 0) {
        say("errno ");
        text_append_number(report, sizeof report, -result);
    } else {
        say("success");
    }
}

static int judge_call(const struct refused_call *call, long before)
{
    long refusal = call->refusal ? -call->refusal : -EPERM_;
    long inside = attempt_call(call);
    say(call->name);
    if (inside != refusal) {
        say_result(" FAIL inside: ", inside);
        say("\n");
        return 1;
    }
    say(before == refusal ? " ok refused outside, too\n" : " ok\n");
    return 0;
}

static int judge_deed(const struct deed *deed, int expected, long before, const struct options *options)
{
    long inside = deed->attempt(options);
    int holds = expected == DONE ? inside >= 0 : inside == expected;
    int proves = deed->control == CONTROL_UNSAFE || before >= 0 ||
                 (deed->control == CONTROL_IF_PRESENT && before == -ENOENT_) ||
                 (deed->control == CONTROL_IF_ALLOWED && before == -EPERM_);
    say(deed->name);
    if (holds && proves) {
        say(" ok\n");
        return 0;
    }
    say_result(" FAIL inside: ", inside);
    if (!proves)
        say_result(", control: ", before);
    say("\n");
    return 1;
}

/* Asks the kernel for its number of processes as a 32-bit program would. Ends this process in a box. */
static void call_as_foreign_program(void)
{
#if defined(__x86_64__)
    long result = 20;
    __asm__ volatile("int $0x80" : "+a"(result) : : "r8", "r9", "r10", "r11", "memory");
#endif
}

int probe_report(const struct options *options)
{
    unsigned box = 1U << options->profile;
    long failed = 0;
    long total = 0;
    say("landlock ");
    text_append_number(report, sizeof report, landlock < 0 ? 0 : landlock);
    say("\n");
    for (size_t index = 0; index < probe_call_count; index++) {
        if ((probe_calls[index].boxes & box) == 0)
            continue;
        failed += judge_call(&probe_calls[index], call_controls[index]);
        total++;
    }
    for (size_t index = 0; index < probe_deed_count; index++) {
        int expected = expected_of(&probe_deeds[index], options);
        if (expected == SKIP)
            continue;
        failed += judge_deed(&probe_deeds[index], expected, deed_controls[index], options);
        total++;
    }
    say("probes ");
    text_append_number(report, sizeof report, total);
    say(" failed ");
    text_append_number(report, sizeof report, failed);
    say("\n");
    text_print(1, report);
    if (options->targets.foreign)
        call_as_foreign_program();
    return failed == 0 ? 0 : 1;
}
