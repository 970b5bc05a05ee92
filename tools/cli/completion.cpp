// `zeroth completion bash|zsh|fish`: a completion script made from the commands themselves, so it never lags behind.
#include "cli/commands.hpp"

#include <fmt/format.h>

namespace zeroth::cli {
namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_name().empty(); });
}

// All words that may follow a command: its sub-commands and its options.
std::vector<std::string> words_of(const CLI::App& app) {
  std::vector<std::string> words;
  for (const CLI::App* command : commands_of(app)) words.push_back(command->get_name());
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
  return words;
}

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

std::string bash_script(const CLI::App& app) {
  std::string cases;
  for (const CLI::App* command : commands_of(app))
    cases += fmt::format("    {}) words=\"{}\" ;;\n", command->get_name(), joined(words_of(*command)));
  return fmt::format("_zeroth() {{\n"
                     "  local words=\"{}\" word=${{COMP_WORDS[COMP_CWORD]}}\n"
                     "  [ \"$COMP_CWORD\" -gt 1 ] && case ${{COMP_WORDS[1]}} in\n{}  esac\n"
                     "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
                     "  [[ $word == -* ]] || COMPREPLY+=($(compgen -f -- \"$word\"))\n"
                     "}}\n"
                     "complete -F _zeroth zeroth\n",
                     joined(words_of(app)), cases);
}

std::string zsh_script(const CLI::App& app) {
  std::string cases;
  for (const CLI::App* command : commands_of(app))
    cases += fmt::format("    {}) compadd -- {}; _files ;;\n", command->get_name(), joined(words_of(*command)));
  return fmt::format("#compdef zeroth\n"
                     "_zeroth() {{\n"
                     "  if (( CURRENT == 2 )); then compadd -- {}; return; fi\n"
                     "  case $words[2] in\n{}  esac\n"
                     "}}\n"
                     "compdef _zeroth zeroth\n",
                     joined(words_of(app)), cases);
}

std::string quoted(std::string text) {
  for (size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += 2) text.replace(at, 1, "\\'");
  return "'" + text + "'";
}

std::string fish_script(const CLI::App& app) {
  std::string script;
  for (const CLI::App* command : commands_of(app)) {
    script += fmt::format("complete -c zeroth -n __fish_use_subcommand -f -a {} -d {}\n", command->get_name(),
                          quoted(command->get_description()));
    const std::string seen = fmt::format("__fish_seen_subcommand_from {}", command->get_name());
    for (const CLI::App* nested : commands_of(*command))
      script += fmt::format("complete -c zeroth -n '{}' -f -a {} -d {}\n", seen, nested->get_name(),
                            quoted(nested->get_description()));
    for (const CLI::Option* option : command->get_options())
      for (const std::string& name : option->get_lnames())
        script +=
            fmt::format("complete -c zeroth -n '{}' -l {} -d {}\n", seen, name, quoted(option->get_description()));
  }
  return script;
}

} // namespace

void add_completion_command(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("completion", "Print a completion script for your shell");
  command->footer("For example: source <(zeroth completion bash)");
  const auto shell = [&](const char* name, std::string (*script)(const CLI::App&)) {
    CLI::App* nested = command->add_subcommand(name, fmt::format("Completion for {}", name));
    nested->callback([&app, script] { fmt::print("{}", script(app)); });
  };
  shell("bash", bash_script);
  shell("zsh", zsh_script);
  shell("fish", fish_script);
  command->require_subcommand(1);
}

} // namespace zeroth::cli
