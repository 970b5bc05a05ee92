"""zeroth/api/commands.h: every command that a list or graph can record, as a number, a structure of its parameters, and
a way to append it again. For overlays and for devices that offer command_walk.

A command's number is its table's place in TABLES times 256 plus its slot: tables grow at their ends only, so numbers stay.
"""
from ctext import argument_names, c_header, declare
from functions import receiver
from model import PREFIX_MEMBER, SpecError, snake, without_family

TABLES = ["ze_command_list_dditable_t", "ze_command_list_exp_dditable_t", "ze_rtas_builder_dditable_t",
          "zet_command_list_dditable_t", "zet_command_list_exp_dditable_t"]
INCLUDES = ["<stddef.h>", "<stdint.h>", "<level_zero/ze_ddi.h>", "<level_zero/zet_ddi.h>", "<level_zero/ze_ddi_common.h>"]
SYNCHRONISATION = ("hSignalEvent", "numWaitEvents", "phWaitEvents")


def commands(api):
    rows = [Command(api, f) for f in api.public_functions() if "Append" in f["name"] and receiver(api, f)]
    rows.sort(key=lambda row: row.number)
    body = "\n".join([CODES.format("\n".join(f"  {r.code} = 0x{r.number:04x}," for r in rows)),
                      *(r.structure() for r in rows),
                      INFO.format("\n".join(r.info() for r in rows)),
                      APPEND.format("\n".join(r.append() for r in rows))])
    yield "zeroth/api/commands.h", c_header("ZEROTH_API_COMMANDS_H", INCLUDES, body)


class Command:
    def __init__(self, api, function):
        self.function = function
        self.table, slot = api.slots[function["name"]]
        if self.table["table"] not in TABLES:
            raise SpecError(function["family"] + ".json", function["name"], f"commands.py does not know table {self.table['table']}")
        self.entry = slot["entry"]
        self.number = TABLES.index(self.table["table"]) * 256 + self.table["entries"].index(slot)
        name = snake(without_family(function).removeprefix("CommandList"))
        self.name = name if function["family"] == "ze" else f"{function['family']}_{name}"
        self.code = "ZEROTH_COMMAND_" + self.name.upper()
        self.list = receiver(api, function).param["name"]

    def structure(self):
        """The parameters by value, under their names in the API."""
        members = "".join(f"  {declare(p['type'], p['name'])};\n" for p in self.function["params"])
        return f"typedef struct zeroth_{self.name} {{\n{members}}} zeroth_{self.name};"

    def info(self):
        names = {p["name"] for p in self.function["params"]}
        offsets = [f"(int32_t)offsetof(zeroth_{self.name}, {n})" if n in names else "-1" for n in SYNCHRONISATION]
        return f"  case {self.code}: {{\n    static const zeroth_command_info info = {{\"{self.function['name']}\", sizeof(zeroth_{self.name}), {', '.join(offsets)}}};\n    return &info;\n  }}"

    def append(self):
        arguments = argument_names([{"name": "target" if p["name"] == self.list else "c->" + p["name"]} for p in self.function["params"]])
        call = f"tables->{PREFIX_MEMBER[self.function['family']]}->{self.table['name']}->{self.entry}({arguments})"
        return f"  case {self.code}: {{\n    const zeroth_{self.name}* c = (const zeroth_{self.name}*)params;\n    (void)c;\n    return {call};\n  }}"


CODES = """/* Commands by number; a number never changes its meaning. */
typedef enum zeroth_command_code {{
{}
  ZEROTH_COMMAND_FORCE_UINT32 = 0x7fffffff
}} zeroth_command_code;
"""

INFO = """
/* What is common to commands: the API function, the size of the parameter structure, and the offsets of its
 * hSignalEvent, numWaitEvents and phWaitEvents; -1 where a function has none. */
typedef struct zeroth_command_info {{
  const char* function;
  uint32_t size;
  int32_t signal_event;
  int32_t wait_event_count;
  int32_t wait_events;
}} zeroth_command_info;

/* Null for a number that these headers do not know. */
static inline const zeroth_command_info* zeroth_get_command_info(uint32_t command) {{
  switch (command) {{
{}
  default: return NULL;
  }}
}}"""

APPEND = """
/* Appends a command with the given parameters to the list `target`, whatever list the parameters name, through `tables`.
 * ZE_RESULT_ERROR_INVALID_ENUMERATION for a number that these headers do not know. */
static inline ze_result_t zeroth_append_command(const ze_handle_t* tables, ze_command_list_handle_t target, uint32_t command,
                                                const void* params) {{
  switch (command) {{
{}
  default: return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  }}
}}"""
