// SPDX-License-Identifier: Apache-2.0
// pack_library LIBRARY INDEX DICTIONARY LIBDEVICE FAMILY…
//
// A part of the build: divides the OpenCL C library's families and libdevice into modules that are quick to read, stored one after another
// in LIBRARY, and writes to INDEX which of them defines what: "function offset size" per line, sorted by bytes. A module has the scalar
// overloads of a function, or its vector overloads, or one function of libdevice, with everything that these call in their file. What
// several modules define is linked once (linkonce_odr). The time to read a module is proportional to the number of its functions. Modules
// are much alike, so each is compressed with a DICTIONARY of what they have in common, to a sixth of the size.
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/Bitcode/LLVMBitCodes.h>
#include <llvm/Bitstream/BitstreamReader.h>
#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>
#include <zdict.h>
#include <zstd.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace {

using Names = std::vector<std::string>;

// NOLINTNEXTLINE(bugprone-throwing-static-initialization): if memory runs out, this build tool ends in any case
const llvm::ExitOnError kSucceed("pack_library: ");

std::unique_ptr<llvm::MemoryBuffer> read_file(const char* path) {
  return kSucceed(llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(path)));
}

// The overloaded function and the length of its vectors: "_Z3sinDv4_f" belongs to "sin of 4". Any other name is its own group.
std::string group_of(llvm::StringRef function) {
  llvm::StringRef rest = function;
  size_t length = 0;
  if (!rest.consume_front("_Z") || rest.consumeInteger(10, length)) return function.str();
  const auto [before, vector] = rest.drop_front(length).split("Dv");
  return (rest.take_front(length) + " of " + vector.split('_').first).str();
}

bool has_metadata(const llvm::Module& module) {
  const auto any = [](const auto& values) {
    return std::ranges::any_of(values, [](const auto& value) { return value.hasMetadata(); });
  };
  return any(module.globals()) || any(module) ||
         std::ranges::any_of(module,
                             [&](const llvm::Function& function) { return any(instructions(function)); });
}

// The position of the id of the block that names all kinds of metadata.
uint64_t bit_of_metadata_kinds(llvm::StringRef bitcode) {
  llvm::BitstreamCursor cursor(bitcode);
  kSucceed(cursor.JumpToBit(32));  // after the magic number
  for (;;) {
    const uint64_t begin = cursor.GetCurrentBitNo() + cursor.getAbbrevIDWidth();
    const llvm::BitstreamEntry entry =
        kSucceed(cursor.advance(llvm::BitstreamCursor::AF_DontAutoprocessAbbrevs));
    if (entry.Kind == llvm::BitstreamEntry::Record) {
      if (entry.ID == llvm::bitc::DEFINE_ABBREV)
        kSucceed(cursor.ReadAbbrevRecord());
      else
        kSucceed(cursor.skipRecord(entry.ID));
      continue;
    }
    if (entry.Kind != llvm::BitstreamEntry::SubBlock) std::exit(1);
    if (entry.ID == llvm::bitc::METADATA_KIND_BLOCK_ID) return begin;
    if (entry.ID == llvm::bitc::MODULE_BLOCK_ID)
      kSucceed(cursor.EnterSubBlock(entry.ID));
    else
      kSucceed(cursor.SkipBlock());
  }
}

// Reading those names takes a seventh of a module's time. In a module without metadata the block gets an id that LLVM's reader does not
// know, so that it skips the block.
void hide_metadata_kinds(std::string& bitcode) {
  constexpr unsigned kUnknownBlock = 127;
  const uint64_t bit = bit_of_metadata_kinds(bitcode);
  for (unsigned i = 0; i < 8; ++i) {
    const unsigned shift = (bit + i) % 8;
    char& byte = bitcode[(bit + i) / 8];
    byte = static_cast<char>((byte & ~(1u << shift)) | (kUnknownBlock >> i & 1u) << shift);
  }
}

class Library {
 public:
  void add_family(llvm::MemoryBufferRef bitcode) {
    llvm::LLVMContext context;
    std::map<std::string, Names> groups;
    const auto family = kSucceed(llvm::getLazyBitcodeModule(bitcode, context));
    for (const llvm::Function& function : *family)
      if (!function.isDeclaration() && !function.hasLocalLinkage())
        groups[group_of(function.getName())].push_back(function.getName().str());
    for (const auto& [group, functions] : groups) add(bitcode, functions);
  }

  // Adds the functions of libdevice that the families call.
  void add_libdevice(llvm::MemoryBufferRef bitcode) {
    const std::string shared = share_internals(bitcode);
    for (const std::string& name : std::set(of_libdevice_)) add({shared, "libdevice"}, {name});
  }

  void write(const char* library, const char* index, const char* dictionary) const {
    const std::string shared = trained_dictionary();
    std::ofstream(dictionary, std::ios::binary) << shared;
    std::ofstream bytes(library, std::ios::binary);
    std::vector<std::pair<size_t, size_t>> places;
    size_t offset = 0;
    ZSTD_CDict* prepared = ZSTD_createCDict(shared.data(), shared.size(), ZSTD_maxCLevel());
    for (const std::string& module : modules_) {
      const std::string packed = compressed(module, prepared);
      bytes << packed;
      places.emplace_back(offset, packed.size());
      offset += packed.size();
    }
    ZSTD_freeCDict(prepared);
    std::ofstream lines(index);
    for (const auto& [name, number] : index_)
      lines << name << ' ' << places[number].first << ' ' << places[number].second << '\n';
  }

 private:
  static size_t checked(size_t result) {
    if (ZSTD_isError(result)) {
      llvm::errs() << "pack_library: " << ZSTD_getErrorName(result) << '\n';
      std::exit(1);
    }
    return result;
  }

  std::string trained_dictionary() const {
    std::string samples;
    std::vector<size_t> sizes;
    for (const std::string& module : modules_) {
      samples += module;
      sizes.push_back(module.size());
    }
    std::string dictionary(size_t{256} << 10, '\0');
    const size_t size = ZDICT_trainFromBuffer(dictionary.data(), dictionary.size(), samples.data(),
                                              sizes.data(), static_cast<unsigned>(sizes.size()));
    dictionary.resize(checked(size));
    return dictionary;
  }

  static std::string compressed(const std::string& module, const ZSTD_CDict* dictionary) {
    ZSTD_CCtx* context = ZSTD_createCCtx();
    std::string packed(ZSTD_compressBound(module.size()), '\0');
    packed.resize(checked(ZSTD_compress_usingCDict(context, packed.data(), packed.size(), module.data(),
                                                   module.size(), dictionary)));
    ZSTD_freeCCtx(context);
    return packed;
  }

  // Makes the tables and functions that libdevice's functions share external, so that they are found by name.
  static std::string share_internals(llvm::MemoryBufferRef bitcode) {
    llvm::LLVMContext context;
    const auto libdevice = kSucceed(llvm::parseBitcodeFile(bitcode, context));
    for (llvm::GlobalValue& value : libdevice->global_values())
      if (value.hasLocalLinkage() && value.getName().starts_with("__"))
        value.setLinkage(llvm::GlobalValue::ExternalLinkage);
    return written(*libdevice);
  }

  static std::string written(const llvm::Module& module) {
    std::string bitcode;
    llvm::raw_string_ostream stream(bitcode);
    llvm::WriteBitcodeToFile(module, stream);
    return bitcode;
  }

  // Makes a module of the named functions and everything that they need.
  static std::unique_ptr<llvm::Module> extract(llvm::MemoryBufferRef bitcode, const Names& functions,
                                               llvm::LLVMContext& context) {
    auto all = kSucceed(llvm::getLazyBitcodeModule(bitcode, context));
    auto module = std::make_unique<llvm::Module>("library", context);
    module->setTargetTriple(all->getTargetTriple());
    module->setDataLayout(all->getDataLayout());
    for (const std::string& name : functions)
      llvm::Function::Create(all->getFunction(name)->getFunctionType(), llvm::Function::ExternalLinkage, name,
                             *module);
    if (llvm::Linker::linkModules(*module, std::move(all), llvm::Linker::LinkOnlyNeeded)) std::exit(1);
    return module;
  }

  // Removes what Clang records about a program as a whole and about the processor. Definitions become linkonce_odr.
  static void simplify(llvm::Module& module) {
    for (llvm::NamedMDNode& node : llvm::make_early_inc_range(module.named_metadata()))
      node.eraseFromParent();
    for (llvm::GlobalValue& value : module.global_values())
      if (!value.isDeclaration() && !value.hasLocalLinkage())
        value.setLinkage(llvm::GlobalValue::LinkOnceODRLinkage);
    for (llvm::Function& function : module) {
      llvm::AttributeMask strings;
      for (const llvm::Attribute attribute : function.getAttributes().getFnAttrs())
        if (attribute.isStringAttribute()) strings.addAttribute(attribute.getKindAsString());
      function.removeFnAttrs(strings);
    }
  }

  void add(llvm::MemoryBufferRef bitcode, const Names& functions) {
    llvm::LLVMContext context;
    const auto module = extract(bitcode, functions, context);
    simplify(*module);
    for (const llvm::Function& function : *module)
      if (function.isDeclaration() && function.getName().starts_with("__nv_"))
        of_libdevice_.insert(function.getName().str());
    std::string text = written(*module);
    if (!has_metadata(*module)) hide_metadata_kinds(text);
    for (const std::string& name : functions) index_.try_emplace(name, modules_.size());
    modules_.push_back(std::move(text));
  }

  std::vector<std::string> modules_;
  std::map<std::string, size_t> index_;  // the number of the module that defines a function
  std::set<std::string> of_libdevice_;
};

}  // namespace

int main(int count, char** words) {
  if (count < 6) return 2;
  Library library;
  for (int i = 5; i < count; ++i) library.add_family(read_file(words[i])->getMemBufferRef());
  library.add_libdevice(read_file(words[4])->getMemBufferRef());
  library.write(words[1], words[2], words[3]);
}
